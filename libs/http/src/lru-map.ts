/** A map with a bound: beyond it the entry that was not used for longest is evicted. */
export interface LruMap<V> {
  /** Also counts as a use. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

export function createLruMap<V>(maxEntries: number): LruMap<V> {
  // A Map keeps the order of insertion, which is here the order of last use.
  const entries = new Map<string, V>();
  const set = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= maxEntries) return;
    const { value: oldest } = entries.keys().next();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
  };
}
