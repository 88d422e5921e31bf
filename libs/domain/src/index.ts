export { noRows } from './charger-reports';
export type {
  ChargerChange,
  DeadLetterStore,
  DeadLettersFrom,
  MovedRows,
  PresenceStore,
  PruneBefore,
  PruneCounts,
  ReportRows,
  ReportStore,
  ReportWriteResult,
  RetentionStore,
  StoredDeadLetter,
} from './charger-reports';
export { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from './input-limits';
export type { InputLimits } from './input-limits';
export {
  chargerIdSchema,
  commandIdSchema,
  commandTimeoutSchema,
  configNameSchema,
  configValueSchema,
  nameSchema,
  rfidTagSchema,
  siteIdSchema,
  socketIdSchema,
  textSchema,
  transactionIdSchema,
} from './input-schemas';
export type { Listed, PageWanted } from './listing';
export type { Records } from './records';
export { newRequestId } from './request-id';
export { hashSecret, matchesSecret } from './secret';
export { toTimestamp } from './timestamp';
export type { Timestamp } from './timestamp';
