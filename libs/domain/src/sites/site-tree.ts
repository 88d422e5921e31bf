// Walks over the tree of a client's sites, bounded by its depth and by the number of sites.
import { invalidInput } from '../invalid-input';
import type { Site, SiteReader } from './site';

/** More levels than any real network has. */
export const MAX_LEVELS = 50;
/** The most sites of one walk. */
export const MAX_SITES = 20_000;

/** From the root down, without the site itself. */
export async function ancestorsOf(sites: Pick<SiteReader, 'findMany'>, site: Site): Promise<readonly Site[]> {
  return (await ancestorsOfAll(sites, site.clientId, [site])).get(site.siteId) ?? [];
}

/** The ancestors of each site, from the root down; one read for each level. */
export async function ancestorsOfAll(
  sites: Pick<SiteReader, 'findMany'>,
  clientId: string,
  of: readonly Site[],
): Promise<ReadonlyMap<number, readonly Site[]>> {
  const known = new Map(of.map((site) => [site.siteId, site]));
  let missing = missingParents(of, known);
  for (let level = 0; missing.length > 0 && level < MAX_LEVELS; level += 1) {
    const parents = await sites.findMany(clientId, missing);
    for (const parent of parents) known.set(parent.siteId, parent);
    missing = missingParents(parents, known);
  }
  return new Map(of.map((site) => [site.siteId, pathTo(site, known)]));
}

/** These sites and all below them (`includeSubsites`). Throws `invalid_request` for more than `MAX_SITES`. */
export async function withSubsites(
  sites: Pick<SiteReader, 'childIds'>,
  clientId: string,
  siteIds: readonly number[],
): Promise<number[]> {
  return [...(await levelsBelow(sites, clientId, siteIds, 'includeSubsites')).all];
}

/** The number of levels below a site. */
export async function heightOf(sites: Pick<SiteReader, 'childIds'>, site: Site): Promise<number> {
  return (await levelsBelow(sites, site.clientId, [site.siteId], 'parentSiteId')).levels;
}

async function levelsBelow(
  sites: Pick<SiteReader, 'childIds'>,
  clientId: string,
  siteIds: readonly number[],
  /** The field that asked for the walk. */
  field: string,
): Promise<{ readonly all: ReadonlySet<number>; readonly levels: number }> {
  const all = new Set(siteIds);
  let last = [...all];
  let levels = -1;
  for (; last.length > 0 && levels < MAX_LEVELS; levels += 1) {
    last = (await sites.childIds(clientId, last)).filter((siteId) => !all.has(siteId));
    for (const siteId of last) all.add(siteId);
    if (all.size > MAX_SITES) {
      const message = `selects more than ${String(MAX_SITES)} sites`;
      throw invalidInput(`There are more than ${String(MAX_SITES)} sites below: name a smaller part.`, {
        field,
        message,
      });
    }
  }
  return { all, levels };
}

function missingParents(sites: readonly Site[], known: ReadonlyMap<number, Site>): number[] {
  const parents = sites.flatMap(({ parentSiteId }) => (parentSiteId === null ? [] : [parentSiteId]));
  return [...new Set(parents)].filter((siteId) => !known.has(siteId));
}

function pathTo(site: Site, known: ReadonlyMap<number, Site>): readonly Site[] {
  const path: Site[] = [];
  let { parentSiteId } = site;
  while (parentSiteId !== null && path.length < MAX_LEVELS) {
    const parent = known.get(parentSiteId);
    if (parent === undefined) break;
    path.unshift(parent);
    parentSiteId = parent.parentSiteId;
  }
  return path;
}
