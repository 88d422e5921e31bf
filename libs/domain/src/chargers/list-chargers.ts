import type { Charger } from './charger';
import type { ChargerFilter, ChargerLister, ChargerSortKey } from './charger-listing';
import type { Page, PageRequest } from '../page';
import type { Site, SiteReader } from '../sites/site';
import type { LocatedCharger } from './read-charger';
import { withSubsites } from '../sites/site-tree';

export interface ListChargersDeps {
  readonly chargers: Pick<ChargerLister, 'list' | 'scan'>;
  readonly sites: Pick<SiteReader, 'findMany' | 'childIds' | 'idsByExternalId'>;
}

export interface ChargerQuery extends Omit<ChargerFilter, 'siteIds'> {
  readonly siteId?: number | undefined;
  readonly externalSiteId?: string | undefined;
  /** Also the chargers of the sites below those that are named. Without effect where none is. */
  readonly includeSubsites?: boolean | undefined;
}

/** Read at once, of an answer without pages: putting more into words would hold up all other requests for too long. */
export const AT_A_TIME = 100;

/** A page of a client's chargers. A site that is unknown, or another client's, has none. */
export async function listChargers(
  deps: ListChargersDeps,
  clientId: string,
  query: ChargerQuery,
  page: PageRequest<ChargerSortKey>,
): Promise<Page<LocatedCharger>> {
  const siteIds = await namedSites(deps.sites, clientId, query);
  const { items, total } = await deps.chargers.list(clientId, { ...query, siteIds }, page);
  return { items: await locate(deps, clientId, items), total };
}

/**
 * All chargers of a client, or of one site of his, by id: read while they are taken, a few hundred in memory. One that is
 * there all the time comes once, also when it is moved meanwhile.
 */
export async function* allChargers(
  deps: ListChargersDeps,
  clientId: string,
  siteId?: number,
): AsyncGenerator<LocatedCharger> {
  for await (const some of chargersInPages(deps, clientId, siteId)) yield* await locate(deps, clientId, some);
}

/** Every charger of a client, or of one site of his, by id. */
export async function* chargersInPages(
  { chargers }: { readonly chargers: Pick<ChargerLister, 'scan'> },
  clientId: string,
  siteId?: number,
): AsyncGenerator<readonly Charger[]> {
  let after = '';
  for (;;) {
    const some = await chargers.scan(clientId, { siteId, after, limit: AT_A_TIME });
    yield some;
    const last = some.at(-1);
    if (last === undefined || some.length < AT_A_TIME) return;
    after = last.chargerId;
  }
}

async function namedSites(
  sites: ListChargersDeps['sites'],
  clientId: string,
  { siteId, externalSiteId, includeSubsites = false }: ChargerQuery,
): Promise<readonly number[] | undefined> {
  if (siteId === undefined && externalSiteId === undefined) return undefined;
  const [byId, byExternalId] = await Promise.all([
    siteId === undefined ? undefined : widened([siteId]),
    externalSiteId === undefined
      ? undefined
      : sites.idsByExternalId(clientId, externalSiteId).then((siteIds) => widened(siteIds)),
  ]);
  if (byId === undefined || byExternalId === undefined) return byId ?? byExternalId;
  return byId.filter((each) => byExternalId.includes(each));

  function widened(siteIds: readonly number[]): Promise<readonly number[]> {
    return includeSubsites ? withSubsites(sites, clientId, siteIds) : Promise.resolve(siteIds);
  }
}

async function locate(
  { sites }: Pick<ListChargersDeps, 'sites'>,
  clientId: string,
  chargers: readonly Charger[],
): Promise<LocatedCharger[]> {
  const siteIds = [...new Set(chargers.map(({ registered }) => registered.siteId))];
  const known: readonly Site[] = siteIds.length === 0 ? [] : await sites.findMany(clientId, siteIds);
  const names = new Map(known.map(({ siteId, name }) => [siteId, name]));
  return chargers.map((charger) => ({ charger, siteName: names.get(charger.registered.siteId) ?? '' }));
}
