/**
 * Whether the record already has all these fields with these values. Such a change must not raise the record's version.
 */
export function changesNothing<T extends object>(record: T, fields: Partial<T>): boolean {
  return Object.entries(fields).every(([name, value]) => isSame(value, record[name as keyof T]));
}

/** Compares JSON values; the order of an object's fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return one === other;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => Object.hasOwn(other, name) && isSame(value, other[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
