import { isDeepStrictEqual } from 'node:util';

/**
 * Returns whether the record already has all these fields with these values. Such a change must not raise the record's
 * version.
 */
export function changesNothing<T extends object>(record: T, fields: Partial<T>): boolean {
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(value, record[name as keyof T]));
}
