import type { Document } from '../port';

/** Documents and characters of JSON text, all documents together. */
const BOUNDS = { documents: 5_000, characters: 8 * 1024 * 1024 };

interface Entry<T> {
  readonly document: T;
  readonly size: number;
}

interface Reading<T> {
  readonly result: Promise<T | undefined>;
  stale: boolean;
}

/**
 * The documents read last by id, so that a read that nothing was written since does not go to the engine again. A write
 * throws its document out when it is sent, and marks what is being read then as not to be kept.
 */
export interface ReadCache<T extends Document> {
  read(id: string): Promise<T | undefined>;
  /** A write of this document is sent, or (without an id) one of any. */
  wrote(id?: string): void;
  clear(): void;
}

export function createReadCache<T extends Document>(
  load: (id: string) => Promise<{ readonly document: T; readonly size: number } | undefined>,
): ReadCache<T> {
  const entries = new Map<string, Entry<T>>();
  const readings = new Map<string, Reading<T>>();
  let characters = 0;

  const remove = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    characters -= entry.size;
    entries.delete(id);
  };
  const keep = (id: string, entry: Entry<T>): void => {
    remove(id);
    entries.set(id, entry);
    characters += entry.size;
    for (const oldest of entries.keys()) {
      if (entries.size <= BOUNDS.documents && characters <= BOUNDS.characters) break;
      remove(oldest);
    }
  };
  const start = (id: string): Promise<T | undefined> => {
    const result = load(id)
      .then((entry) => {
        if (entry && !reading.stale) keep(id, entry);
        return entry?.document;
      })
      .finally(() => {
        if (readings.get(id) === reading) readings.delete(id);
      });
    const reading: Reading<T> = { result, stale: false };
    readings.set(id, reading);
    return result;
  };
  const forget = (): void => {
    entries.clear();
    characters = 0;
    for (const reading of readings.values()) reading.stale = true;
    readings.clear();
  };

  return {
    read(id) {
      const entry = entries.get(id);
      if (!entry) return readings.get(id)?.result ?? start(id);
      entries.delete(id);
      entries.set(id, entry);
      return Promise.resolve(entry.document);
    },
    wrote(id) {
      if (id === undefined) {
        forget();
        return;
      }
      remove(id);
      const reading = readings.get(id);
      if (reading) reading.stale = true;
      readings.delete(id);
    },
    clear: forget,
  };
}
