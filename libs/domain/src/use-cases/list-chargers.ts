import { AppError } from '@busbar/core';
import type { Charger } from '../charger';
import type { ChargerFilter, ChargerLister, ChargerSortKey } from '../charger-listing';
import type { Listed, PageWanted } from '../listing';
import type { Site, SiteReader } from '../site';
import type { LocatedCharger } from './read-charger';
import { withSubsites } from './site-tree';

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

/** Chargers of an answer that is not paged (ADR 19). */
export const MOST_CHARGERS = 5_000;
const AT_A_TIME = 500;

/** A page of a client's chargers. A site that is unknown, or another client's, has none. */
export async function listChargers(
  deps: ListChargersDeps,
  clientId: string,
  query: ChargerQuery,
  page: PageWanted<ChargerSortKey>,
): Promise<Listed<LocatedCharger>> {
  const siteIds = await namedSites(deps.sites, clientId, query);
  const { items, total } = await deps.chargers.list(clientId, { ...query, siteIds }, page);
  return { items: await locate(deps, clientId, items), total };
}

/**
 * All chargers of a client, or of one site of his, by id. Throws `invalid_request` for more than `MOST_CHARGERS`: a list
 * without pages has to end.
 */
export async function allChargers(
  deps: ListChargersDeps,
  clientId: string,
  siteId?: number,
): Promise<LocatedCharger[]> {
  const found: Charger[] = [];
  for await (const charger of eachCharger(deps, clientId, siteId)) {
    found.push(charger);
    if (found.length <= MOST_CHARGERS) continue;
    throw new AppError(
      'invalid_request',
      `There are more than ${String(MOST_CHARGERS)} chargers: ask by groupId for those of one group, or read them page by page from /v2/chargers.`,
    );
  }
  return locate(deps, clientId, found);
}

/** Every charger of a client, or of one site of his, by id; never more than a few hundred in memory. */
export async function* eachCharger(
  { chargers }: { readonly chargers: Pick<ChargerLister, 'scan'> },
  clientId: string,
  siteId?: number,
): AsyncGenerator<Charger> {
  let after = '';
  for (;;) {
    const some = await chargers.scan(clientId, { siteId, after, limit: AT_A_TIME });
    yield* some;
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
