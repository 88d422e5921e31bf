import type { Site, SiteReader } from '../site';

/** Deeper than any real network; ends the walk should a circle ever get into the store. */
const MAX_DEPTH = 50;

/** A site and where it stands. */
export interface PlacedSite {
  readonly site: Site;
  /** From the root down, without the site itself. */
  readonly ancestors: readonly Site[];
  readonly numberOfChargers: number;
  readonly numberOfSubsites: number;
}

/** Of a site that was made just now, which nothing can be in yet. */
export async function placeNewSite(
  deps: { readonly sites: Pick<SiteReader, 'find'> },
  site: Site,
): Promise<PlacedSite> {
  return { site, ancestors: await ancestorsOf(deps.sites, site), numberOfChargers: 0, numberOfSubsites: 0 };
}

async function ancestorsOf(sites: Pick<SiteReader, 'find'>, site: Site): Promise<Site[]> {
  const ancestors: Site[] = [];
  let parentSiteId = site.parentSiteId;
  while (parentSiteId !== null && ancestors.length < MAX_DEPTH) {
    const parent = await sites.find(site.clientId, parentSiteId);
    if (parent === undefined) break;
    ancestors.unshift(parent);
    parentSiteId = parent.parentSiteId;
  }
  return ancestors;
}
