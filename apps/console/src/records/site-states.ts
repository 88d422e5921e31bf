// The sockets at sites by state, as the API counts them.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client';
import { useMay } from '../api/use-session';
import type { StateCounts } from './state-sums';

/** The limit of sites whose sockets are counted in one request. */
const SITES_A_REQUEST = 100;
const COUNTS_EACH_MS = 30_000;

/** Undefined for a site whose chargers have no socket, or that was not read yet; none where the key may not read chargers. */
export function useSiteStates(sites: readonly Pick<Schemas['Site'], 'id' | 'numberOfChargers'>[] | undefined) {
  const maySee = useMay('chargers:read');
  const ids = (sites ?? []).filter(({ numberOfChargers }) => numberOfChargers > 0).map(({ id }) => id);
  return useQuery({
    queryKey: ['sites', 'states', ids],
    queryFn: ({ signal }) => readStates(ids, signal),
    enabled: maySee && ids.length > 0,
    refetchInterval: COUNTS_EACH_MS,
  });
}

async function readStates(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, StateCounts>> {
  const found = new Map<number, StateCounts>();
  for (let at = 0; at < ids.length; at += SITES_A_REQUEST) {
    const query = { siteIds: ids.slice(at, at + SITES_A_REQUEST) };
    const { items } = await dataOf(api.GET('/v2/statistics/sites', { params: { query }, signal }));
    for (const { siteId, socketsByState } of items) found.set(siteId, socketsByState);
  }
  return found;
}
