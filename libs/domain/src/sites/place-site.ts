import { AppError } from '@busbar/core';
import type { ChargerLister } from '../chargers/charger-listing';
import type { Page, PageRequest } from '../page';
import type { Site, SiteFilter, SiteReader, SiteSortKey } from './site';
import { ancestorsOf, ancestorsOfAll } from './site-tree';

/** A site and its place in the tree. */
export interface PlacedSite {
  readonly site: Site;
  /** From the root down, without the site itself. */
  readonly ancestors: readonly Site[];
  /** In the site itself, without those below it. */
  readonly numberOfChargers: number;
  /** Directly below it. */
  readonly numberOfSubsites: number;
}

export interface PlaceSiteDeps {
  readonly sites: Pick<SiteReader, 'find' | 'findMany' | 'countChildren' | 'list'>;
  readonly chargers: Pick<ChargerLister, 'countBySite'>;
}

/** A new site, which contains nothing yet. */
export async function placeNewSite(
  deps: { readonly sites: Pick<SiteReader, 'findMany'> },
  site: Site,
): Promise<PlacedSite> {
  return { site, ancestors: await ancestorsOf(deps.sites, site), numberOfChargers: 0, numberOfSubsites: 0 };
}

/** In the order given. */
export async function placeSites(deps: PlaceSiteDeps, clientId: string, sites: readonly Site[]): Promise<PlacedSite[]> {
  if (sites.length === 0) return [];
  const siteIds = sites.map(({ siteId }) => siteId);
  const [ancestors, chargers, subsites] = await Promise.all([
    ancestorsOfAll(deps.sites, clientId, sites),
    deps.chargers.countBySite(clientId, siteIds),
    deps.sites.countChildren(clientId, siteIds),
  ]);
  return sites.map((site) => ({
    site,
    ancestors: ancestors.get(site.siteId) ?? [],
    numberOfChargers: chargers.get(site.siteId) ?? 0,
    numberOfSubsites: subsites.get(site.siteId) ?? 0,
  }));
}

/** Throws `not_found` when there is no such site or it is another client's. */
export async function readSite(deps: PlaceSiteDeps, clientId: string, siteId: number): Promise<PlacedSite> {
  const site = await deps.sites.find(clientId, siteId);
  const [placed] = site === undefined ? [] : await placeSites(deps, clientId, [site]);
  if (placed !== undefined) return placed;
  throw new AppError('not_found', `There is no site (group) ${String(siteId)}.`);
}

/** A page of a client's sites. */
export async function listSites(
  deps: PlaceSiteDeps,
  clientId: string,
  filter: SiteFilter,
  page: PageRequest<SiteSortKey>,
): Promise<Page<PlacedSite>> {
  const found = await deps.sites.list(clientId, filter, page);
  return { ...found, items: await placeSites(deps, clientId, found.items) };
}
