export type { DeadLetterStore, DeadLettersFrom, StoredDeadLetter } from './dead-letter-store';
export { noRows } from './report-store';
export type { ChargerChange, MovedRows, ReportRows, ReportStore, ReportWriteResult } from './report-store';
