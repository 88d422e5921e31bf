export { abandonStranded } from './abandon-stranded';
export type { AbandonStrandedDeps } from './abandon-stranded';
export { endSession } from './end-session';
export type { EndSessionDeps } from './end-session';
export { ongoingKey } from './ongoing-transaction';
export type { OngoingTransaction } from './ongoing-transaction';
export {
  MAX_TRANSACTIONS,
  listSessions,
  readMeterValues,
  readSession,
  readTransactionEvents,
  searchTransactions,
} from './read-sessions';
export type { ReadSessionsDeps } from './read-sessions';
export { resolveStarts } from './resolve-starts';
export { AUTHORIZATION_SOURCES, SESSION_STATES, awaitsMeter, isOpen, wasRefused } from './session';
export type {
  AuthorizationSource,
  CommandCorrelation,
  DeviceTransaction,
  MeterValueRow,
  OrphanStop,
  Session,
  SessionState,
  SessionStop,
  SessionSummary,
  SessionWriter,
  TransactionChange,
  TransactionEventRow,
} from './session';
export { SESSIONS_OF_KEY } from './session-reader';
export type { SessionReader } from './session-reader';
export { SESSION_SORT_KEYS } from './session-search';
export type { LocatedSession, SessionFilter, SessionSortKey } from './session-search';
