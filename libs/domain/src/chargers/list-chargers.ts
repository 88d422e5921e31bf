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
  /** Also the chargers of the sites below the named ones. No effect without a named site. */
  readonly includeSubsites?: boolean | undefined;
}

/** Read at a time for a response without pages: serializing more at once would block other requests too long. */
export const AT_A_TIME = 100;

/** A page of a client's chargers. A site that is unknown or another client's has none. */
export async function listChargers(
  deps: ListChargersDeps,
  clientId: string,
  query: ChargerQuery,
  page: PageRequest<ChargerSortKey>,
): Promise<Page<LocatedCharger>> {
  const siteIds = await namedSites(deps.sites, clientId, query);
  const found = await deps.chargers.list(clientId, { ...query, siteIds }, page);
  return { ...found, items: await locate(deps, clientId, found.items) };
}

/**
 * All chargers of a client or of one site, by id, read in batches while they are consumed. A charger that is moved
 * meanwhile comes once.
 */
export async function* allChargers(
  deps: ListChargersDeps,
  clientId: string,
  siteId?: number,
): AsyncGenerator<LocatedCharger> {
  for await (const some of chargersInPages(deps, clientId, siteId)) yield* await locate(deps, clientId, some);
}

/** Every charger of a client or of one site, by id, in batches. */
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
