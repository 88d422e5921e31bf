import { LRUCache } from 'lru-cache';
import type { Document } from '../port';

const MAX_DOCUMENTS = 5_000;
/** The JSON text of all cached documents together. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** A document, or that there is none; `size` in characters, at least 1. */
export interface Loaded<T> {
  readonly document: T | undefined;
  readonly size: number;
}

/**
 * Caches the documents read last by id, which saves the message to the engine. Reads of one id in flight share it. A write
 * removes its document when it is sent, and a read in flight at that time is not cached.
 */
export interface ReadCache<T extends Document> {
  read(id: string): Promise<T | undefined>;
  /** Must be called when a write of this document is sent; without an id, when a write of unknown documents is. */
  wrote(id?: string): void;
  clear(): void;
}

export function createReadCache<T extends Document>(load: (id: string) => Promise<Loaded<T>>): ReadCache<T> {
  const cache = new LRUCache<string, Loaded<T>>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ size }) => size,
    fetchMethod: load,
    // A read whose entry was removed meanwhile has its result nevertheless, which the cache then ignores.
    ignoreFetchAbort: true,
  });
  return {
    read: async (id) => (await cache.forceFetch(id)).document,
    wrote(id) {
      if (id === undefined) cache.clear();
      else cache.delete(id);
    },
    clear: () => cache.clear(),
  };
}
