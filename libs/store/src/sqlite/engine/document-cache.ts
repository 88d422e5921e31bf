/** A parsed document and its row. Frozen: all readers share it. */
export interface CachedDocument<T> {
  readonly row: number;
  readonly document: T;
  /** Length of its JSON text. */
  readonly size: number;
}

export interface DocumentCache<T> {
  get(id: string): CachedDocument<T> | undefined;
  set(id: string, entry: CachedDocument<T>): void;
  delete(id: string): void;
  clear(): void;
}

export interface CacheBounds {
  readonly documents: number;
  /** Characters of JSON text, all documents together. */
  readonly characters: number;
}

/** An LRU cache with both bounds. A bound of 0 disables it. */
export function createDocumentCache<T>(bounds: CacheBounds): DocumentCache<T> {
  const entries = new Map<string, CachedDocument<T>>();
  let characters = 0;

  const remove = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    characters -= entry.size;
    entries.delete(id);
  };

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    set(id, entry) {
      remove(id);
      entries.set(id, entry);
      characters += entry.size;
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.documents && characters <= bounds.characters) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      characters = 0;
    },
  };
}
