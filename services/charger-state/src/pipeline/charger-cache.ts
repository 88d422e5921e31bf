import type { Charger } from '@busbar/domain/chargers';

/**
 * The last known record of the chargers heard of most recently. It may be stale at any time: whoever writes from it does so
 * by compare-and-set on the revision, and drops the entry when that misses.
 */
export interface ChargerCache {
  get(chargerId: string): Charger | undefined;
  put(charger: Charger): void;
  drop(chargerId: string): void;
}

/** The caches of all partitions, with one room for all. */
export interface PartitionCaches {
  /** What is known since the partition was begun last. Whoever holds one from before finds and leaves nothing in it. */
  of(partition: number): ChargerCache;
  /**
   * This replica consumes the partition from now on, or again: another may have had it in between, so what is known from before
   * is forgotten. Rows made from a record that is out of date would stay, though its own write fails.
   */
  begin(partition: number): void;
}

/** Of what can be long in records, where nothing else is said: twice as many bytes at most. */
const MAX_CHARACTERS = 33_554_432;

interface Entry {
  readonly partition: number;
  readonly charger: Charger;
  /** Of its configuration: measured anew only when that is another one. */
  readonly configured: number;
  readonly characters: number;
}

/** Bounded by records, some 4 KB each, and by the characters in them of what chargers may make long. */
export function createPartitionCaches(capacity: number, maxCharacters = MAX_CHARACTERS): PartitionCaches {
  // A Map keeps insertion order, so its first key is the one unused for longest.
  const entries = new Map<string, Entry>();
  const caches = new Map<number, ChargerCache>();
  let characters = 0;

  function drop(chargerId: string): void {
    characters -= entries.get(chargerId)?.characters ?? 0;
    entries.delete(chargerId);
  }

  function open(partition: number): ChargerCache {
    const isOpen = (): boolean => caches.get(partition) === cache;
    const cache: ChargerCache = {
      get(chargerId) {
        const entry = isOpen() ? entries.get(chargerId) : undefined;
        if (entry !== undefined) {
          entries.delete(chargerId);
          entries.set(chargerId, entry);
        }
        return entry?.charger;
      },
      put(charger) {
        if (!isOpen()) return;
        const entry = entryOf(partition, charger, entries.get(charger.chargerId));
        drop(charger.chargerId);
        entries.set(charger.chargerId, entry);
        characters += entry.characters;
        while (entries.size > capacity || characters > maxCharacters) {
          const oldest = entries.keys().next();
          if (oldest.done) return;
          drop(oldest.value);
        }
      },
      drop(chargerId) {
        if (isOpen()) drop(chargerId);
      },
    };
    caches.set(partition, cache);
    return cache;
  }

  return {
    of: (partition) => caches.get(partition) ?? open(partition),
    begin(partition) {
      open(partition);
      for (const [chargerId, entry] of entries) if (entry.partition === partition) drop(chargerId);
    },
  };
}

/** For chargers of one partition. */
export function createChargerCache(capacity: number, maxCharacters = MAX_CHARACTERS): ChargerCache {
  return createPartitionCaches(capacity, maxCharacters).of(0);
}

/** Next to nothing for each message: the length of a text is known, and a configuration seldom changes. */
function entryOf(partition: number, charger: Charger, before: Entry | undefined): Entry {
  const { lastMessage, configuration } = charger.reported;
  const isSame = before?.charger.reported.configuration === configuration;
  const configured = isSame ? before.configured : charactersOf(configuration);
  return { partition, charger, configured, characters: configured + (lastMessage?.length ?? 0) };
}

function charactersOf(configuration: Charger['reported']['configuration']): number {
  return configuration.reduce((sum, { configName, configValue }) => sum + configName.length + configValue.length, 0);
}
