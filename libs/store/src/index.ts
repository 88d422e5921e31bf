export { and, eq, ne } from './port';
export type { BulkOperation, BulkResult, Collection, CollectionDefinition, Document, Store, Update } from './port';
export { allCollections, collections } from './records/collections';
export { createRecords } from './records/create-records';
export type { StoredRecords } from './records/create-records';
export { createDeletedChargers } from './records/charger-state/deleted-chargers';
export {
  createFeedPages,
  createFeedPageWriter,
  createFeedReader,
  createFeedRetention,
} from './records/charger-state/feed-pages';
export type { FeedRetention } from './records/charger-state/feed-pages';
export { SCHEMA_ID, settingsCollection } from './records/store-schema';
export type { StoreSchema } from './records/store-schema';
export { RAISED_BY, raiseCounters } from './records/charger-state/raise-counters';
export { createDeadLetterStore, createPresenceStore, createReportStore } from './records/charger-state/report-store';
export { createRetentionStore } from './records/charger-state/retention-store';
export { createWaitingChargers } from './records/charger-state/waiting-chargers';
export { createTagClaimStore } from './records/charger-state/tag-claims';
export type { BackupOptions } from './sqlite/backup';
export { checksumFileOf, readChecksum, sha256Of } from './sqlite/checksum-file';
export { checkDataFile } from './sqlite/data-file-check';
export { assertDirectoryFree, lockDirectory } from './sqlite/directory-lock';
export { createSqliteStore, DATA_FILE } from './sqlite/sqlite-store';
export type { SqliteStore } from './sqlite/sqlite-store';
export { checkUrl as checkStoreUrl } from './mongo/check-url';
export { createMongoStore } from './mongo/mongo-store';
export { makeDataDirectory } from './data-directory';
export { PREPARE_WITHIN_MS } from './start-limit';
