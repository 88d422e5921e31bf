// The external ids of sites, which events show. They are read at most once a minute, however many chargers a site has.
import { LRUCache } from 'lru-cache';
import type { Clock } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import type { Records } from '@busbar/domain';

export interface SiteIds {
  /** Reads those of these chargers' sites that are not known, or older than a minute. Undefined: none. */
  read(chargers: Iterable<Charger>): Promise<void> | undefined;
  /** Null where the site has none, or does not exist. */
  externalId(charger: Charger): string | null;
}

export interface SiteIdsDeps {
  readonly sites: Pick<Records['sites'], 'findMany'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Known {
  readonly externalId: string | null;
  readonly readAtMs: number;
}

const MAX_SITES = 20_000;
const MAX_AGE_MS = 60_000;

export function createSiteIds({ sites, clock }: SiteIdsDeps): SiteIds {
  const known = new LRUCache<number, Known>({ max: MAX_SITES });

  async function readThose(missing: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    const readAtMs = clock.monotonicMs();
    for (const [clientId, siteIds] of missing) {
      const found = await sites.findMany(clientId, [...siteIds]);
      const externalIds = new Map(found.map((site) => [site.siteId, site.externalId ?? null]));
      for (const siteId of siteIds) known.set(siteId, { externalId: externalIds.get(siteId) ?? null, readAtMs });
    }
  }

  return {
    read(chargers) {
      let missing: Map<string, Set<number>> | undefined;
      const oldestMs = clock.monotonicMs() - MAX_AGE_MS;
      for (const { clientId, registered } of chargers) {
        const site = known.get(registered.siteId);
        if (site !== undefined && site.readAtMs >= oldestMs) continue;
        missing ??= new Map();
        const siteIds = missing.get(clientId);
        if (siteIds) siteIds.add(registered.siteId);
        else missing.set(clientId, new Set([registered.siteId]));
      }
      return missing === undefined ? undefined : readThose(missing);
    },
    externalId: ({ registered }) => known.peek(registered.siteId)?.externalId ?? null,
  };
}
