// The sites of the map, and the states of the sockets there.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import type { MapSite, StateCounts } from './site-counts';

type Site = Schemas['Site'];

/** The limit of a page, and of the sites whose sockets are counted in one request. */
const PAGE = 100;
const MAX_SITES = 2_000;
const COUNTS_EACH_MS = 30_000;

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

/** Undefined for a site whose chargers have no socket, or that was not read yet; none where the key may not read chargers. */
export function useSiteStates(sites: readonly MapSite[] | undefined) {
  const maySee = useMay('chargers:read');
  const ids = (sites ?? []).filter(({ numberOfChargers }) => numberOfChargers > 0).map(({ id }) => id);
  return useQuery({
    queryKey: ['sites', 'states', ids],
    queryFn: ({ signal }) => readStates(ids, signal),
    enabled: maySee && ids.length > 0,
    refetchInterval: COUNTS_EACH_MS,
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

async function readStates(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, StateCounts>> {
  const found = new Map<number, StateCounts>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const query = { siteIds: ids.slice(at, at + PAGE) };
    const { items } = await dataOf(api.GET('/v2/statistics/sites', { params: { query }, signal }));
    for (const { siteId, socketsByState } of items) found.set(siteId, socketsByState);
  }
  return found;
}
