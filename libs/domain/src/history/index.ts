export type {
  ChargerEvent,
  HistoryReader,
  LogFilter,
  LogRow,
  LogSortKey,
  StateChange,
  StateCount,
  StateFilter,
} from './history';
export { readChargerLog } from './read-charger-log';
export { MAX_DAYS, listStateChanges, siteStateCounts } from './read-states';
export type { CountsByState, ReadStatesDeps, SiteStates, StateQuery } from './read-states';
export type { PruneBefore, PruneCounts, RetentionStore } from './retention-store';
export type { NetworkStatistics, StatisticsReader } from './statistics';
