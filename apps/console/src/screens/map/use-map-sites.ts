// The sites of the map.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { MapSite } from './site-counts';

type Site = Schemas['Site'];

/** The limit of a page. */
const PAGE = 100;
const MAX_SITES = 2_000;

export interface MapSites {
  readonly placed: readonly MapSite[];
  readonly without: readonly Site[];
  /** Whether there are more than the map reads. */
  readonly isPart: boolean;
}

export function useMapSites(isWanted: boolean) {
  return useQuery({
    queryKey: ['sites', 'map'],
    queryFn: ({ signal }) => readSites(signal),
    enabled: isWanted,
    staleTime: 60_000,
  });
}

async function readSites(signal: AbortSignal): Promise<MapSites> {
  const sites: Site[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, ...(after === undefined ? {} : { after }) };
    const page = await dataOf(api.GET('/v2/sites', { params: { query }, signal }));
    sites.push(...page.items);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined && sites.length < MAX_SITES);
  const placed = sites.flatMap((site) => {
    const { latitude, longitude } = site;
    return latitude === null || longitude === null ? [] : [{ ...site, latitude, longitude }];
  });
  const without = sites.filter(({ latitude, longitude }) => latitude === null || longitude === null);
  return { placed, without, isPart: after !== undefined };
}
