export type { DeadLetterStore, DeadLettersFrom, StoredDeadLetter } from './dead-letter-store';
export { noRows } from './report-store';
export type { ChargerChange, ReportRows, ReportStore, ReportWriteResult } from './report-store';
