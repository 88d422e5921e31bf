export { and, eq, ne } from './port';
export type { BulkOperation, BulkResult, Collection, CollectionDefinition, Document, Store, Update } from './port';
export {
  allCollections,
  countersCollection,
  logCollection,
  meterValuesCollection,
  sessionsCollection,
  sitesCollection,
  stateChangesCollection,
} from './records/collections';
export { createRecords } from './records/create-records';
export type { StoredRecords } from './records/create-records';
export { RAISED_BY, raiseCounters } from './records/raise-counters';
export { createDeadLetterStore, createPresenceStore, createReportStore } from './records/report-store';
export { createRetentionStore } from './records/retention-store';
export { createTagClaimStore } from './records/tag-claims';
export type { BackupOptions } from './sqlite/backup';
export { checksumFileOf, readChecksum, sha256Of } from './sqlite/checksum-file';
export { checkDataFile } from './sqlite/data-file-check';
export { assertDirectoryFree, lockDirectory } from './sqlite/directory-lock';
export { createSqliteStore, DATA_FILE } from './sqlite/sqlite-store';
export type { SqliteStore } from './sqlite/sqlite-store';
export { checkUrl as checkStoreUrl } from './mongo/check-url';
export { createMongoStore } from './mongo/mongo-store';
export { PREPARE_WITHIN_MS } from './start-limit';
