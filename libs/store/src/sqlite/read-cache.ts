import { LRUCache } from 'lru-cache';
import type { Document } from '../port';

const MAX_DOCUMENTS = 5_000;
/** The JSON text of all cached documents together. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface Entry<T> {
  readonly document: T;
  readonly size: number;
}

interface Reading<T> {
  readonly result: Promise<T | undefined>;
  stale: boolean;
}

/**
 * Caches the documents read last by id, which saves the message to the engine. A write removes its document when it is sent,
 * and a read in flight at that time is not cached.
 */
export interface ReadCache<T extends Document> {
  read(id: string): Promise<T | undefined>;
  /** Must be called when a write of this document is sent; without an id, when a write of unknown documents is. */
  wrote(id?: string): void;
  clear(): void;
}

export function createReadCache<T extends Document>(
  load: (id: string) => Promise<{ readonly document: T; readonly size: number } | undefined>,
): ReadCache<T> {
  const entries = new LRUCache<string, Entry<T>>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ size }) => size,
  });
  const readings = new Map<string, Reading<T>>();

  const start = (id: string): Promise<T | undefined> => {
    const result = load(id)
      .then((entry) => {
        if (entry && !reading.stale) entries.set(id, entry);
        return entry?.document;
      })
      .finally(() => {
        if (readings.get(id) === reading) readings.delete(id);
      });
    const reading: Reading<T> = { result, stale: false };
    readings.set(id, reading);
    return result;
  };
  const clear = (): void => {
    entries.clear();
    for (const reading of readings.values()) reading.stale = true;
    readings.clear();
  };

  return {
    read(id) {
      const entry = entries.get(id);
      if (entry) return Promise.resolve(entry.document);
      return readings.get(id)?.result ?? start(id);
    },
    wrote(id) {
      if (id === undefined) {
        clear();
        return;
      }
      entries.delete(id);
      const reading = readings.get(id);
      if (reading) reading.stale = true;
      readings.delete(id);
    },
    clear,
  };
}
