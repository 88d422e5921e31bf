import type { Json } from './components';

/** The operations of a document, by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The record with another value for each key. */
export function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  valueOf: (value: V, key: K) => R,
): Record<K, R> {
  const entries = Object.entries<V>(record).map(([key, value]) => [key, valueOf(value, key as K)]);
  return Object.fromEntries(entries) as Record<K, R>;
}

export function mapOperations(paths: Paths, change: (operation: Json) => Json): Paths {
  return mapValues(paths, (operations) => mapValues(operations, change));
}
