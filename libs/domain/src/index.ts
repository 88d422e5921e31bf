export { INPUT_LIMITS, NOT_BLANK_PATTERN, PROPERTY_NAME_PATTERN } from './input-limits';
export { omitNil } from './nullable';
export type { Page, PageRequest, Place } from './page';
export type { Records } from './records';
export { matchesSecret } from './secret';
export type { StoredSecrets } from './stored-secrets';
export { inUtc, toTimestamp } from './timestamp';
export type { Timestamp } from './timestamp';
