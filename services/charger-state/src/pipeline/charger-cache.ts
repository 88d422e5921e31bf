import { LRUCache } from 'lru-cache';
import type { Charger } from '@busbar/domain/chargers';

/**
 * The last known records of recently active chargers. A record may be stale at any time: the writer uses compare-and-set on its
 * revision, and drops the entry when that fails.
 */
export interface ChargerCache {
  get(chargerId: string): Charger | undefined;
  put(charger: Charger): void;
  drop(chargerId: string): void;
}

/** The caches of all partitions, which share one limit. */
export interface PartitionCaches {
  /** The cache of a partition since its last `begin`. One from before stays empty. */
  of(partition: number): ChargerCache;
  /**
   * Starts with an empty cache, because this replica begins to consume the partition: another replica may have changed the
   * records. Rows that are made from a stale record would stay, though the write of the record fails.
   */
  begin(partition: number): void;
}

/** Limit of the texts in the cached records that can be long; at most twice as many bytes. */
const MAX_CHARACTERS = 33_554_432;

interface Entry {
  readonly owner: ChargerCache;
  readonly charger: Charger;
  readonly configurationCharacters: number;
  readonly characters: number;
}

/** Limited by the number of records, about 4 KB each, and by the characters in the parts of them that chargers make long. */
export function createPartitionCaches(capacity: number, maxCharacters = MAX_CHARACTERS): PartitionCaches {
  const entries = new LRUCache<string, Entry>({
    max: capacity,
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => Math.max(1, characters),
  });
  const caches = new Map<number, ChargerCache>();

  function open(partition: number): ChargerCache {
    const isOpen = (): boolean => caches.get(partition) === cache;
    const cache: ChargerCache = {
      get(chargerId) {
        const entry = entries.get(chargerId);
        return entry?.owner === cache && isOpen() ? entry.charger : undefined;
      },
      put(charger) {
        if (isOpen()) entries.set(charger.chargerId, entryOf(cache, charger, entries.peek(charger.chargerId)));
      },
      drop(chargerId) {
        if (isOpen()) entries.delete(chargerId);
      },
    };
    caches.set(partition, cache);
    return cache;
  }

  return {
    of: (partition) => caches.get(partition) ?? open(partition),
    // Entries of the previous cache are never read again, and are evicted first.
    begin: (partition) => void open(partition),
  };
}

/** Cheap for each message: a text knows its length, and the configuration is measured only when it changes. */
function entryOf(owner: ChargerCache, charger: Charger, before: Entry | undefined): Entry {
  const { lastMessage, configuration } = charger.reported;
  const events = charger.outbox?.items?.length ?? 0;
  const isSame = before?.charger.reported.configuration === configuration;
  const configurationCharacters = isSame ? before.configurationCharacters : charactersOf(configuration);
  return {
    owner,
    charger,
    configurationCharacters,
    characters: configurationCharacters + (lastMessage?.length ?? 0) + events,
  };
}

function charactersOf(configuration: Charger['reported']['configuration']): number {
  return configuration.reduce((sum, { configName, configValue }) => sum + configName.length + configValue.length, 0);
}
