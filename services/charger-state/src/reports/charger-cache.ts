import type { Charger } from '@busbar/domain';

/**
 * The last known record of the chargers heard of most recently. It may be stale at any time: whoever writes from it does so
 * by compare-and-set on the revision, and drops the entry when that misses.
 */
export interface ChargerCache {
  get(chargerId: string): Charger | undefined;
  put(charger: Charger): void;
  drop(chargerId: string): void;
}

export function createChargerCache(capacity: number): ChargerCache {
  // A Map keeps insertion order, so its first key is the one unused for longest.
  const entries = new Map<string, Charger>();
  return {
    get(chargerId) {
      const charger = entries.get(chargerId);
      if (charger !== undefined) {
        entries.delete(chargerId);
        entries.set(chargerId, charger);
      }
      return charger;
    },
    put(charger) {
      entries.delete(charger.chargerId);
      entries.set(charger.chargerId, charger);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    drop: (chargerId) => void entries.delete(chargerId),
  };
}
