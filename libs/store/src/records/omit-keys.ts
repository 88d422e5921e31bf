/** A document without the fields that only the store needs. */
export function omitKeys<T extends object, K extends keyof T & string>(document: T, ...keys: readonly K[]): Omit<T, K> {
  const omitted: ReadonlySet<string> = new Set(keys);
  return Object.fromEntries(Object.entries(document).filter(([key]) => !omitted.has(key))) as Omit<T, K>;
}
