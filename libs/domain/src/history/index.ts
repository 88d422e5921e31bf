export type {
  ChargerEvent,
  ChargerEventFilter,
  HistoryReader,
  LogFilter,
  LogReader,
  LogRow,
  StateChange,
  StateCount,
  StateFilter,
} from './history';
export { followChargerLog } from './follow-charger-log';
export type { FollowedLog } from './follow-charger-log';
export { createLogFollower, formatLogCursor, LOG_PAGE, parseLogCursor } from './log-follower';
export type { LogFollower } from './log-follower';
export { readChargerEvents } from './read-charger-events';
export { readChargerLog } from './read-charger-log';
export { MAX_DAYS, listStateChanges, siteStateCounts } from './read-states';
export type { ReadStatesDeps, StateQuery } from './read-states';
export type { PruneBefore, PruneCounts, RetentionStore } from './retention-store';
export type { NetworkStatistics, StatisticsReader } from './statistics';
