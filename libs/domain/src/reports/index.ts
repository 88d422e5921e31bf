export type { DeadLetterStore, StoredDeadLetter } from './dead-letter-store';
export { noRows } from './report-store';
export type { ChargerChange, MovedRows, ReportRows, ReportStore } from './report-store';
