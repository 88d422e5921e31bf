// Walks over the tree of a client's sites. Every walk is bounded: by the depth that changes of the tree hold, and by the
// number of sites.
import { invalidInput } from '../invalid-input';
import type { Site, SiteReader } from './site';

/** Levels of a tree. Deeper than any real network. */
export const MAX_LEVELS = 50;
/** Sites that one walk takes in. */
export const MAX_SITES = 20_000;

/** From the root down, without the site itself. */
export async function ancestorsOf(sites: Pick<SiteReader, 'findMany'>, site: Site): Promise<readonly Site[]> {
  return (await ancestorsOfAll(sites, site.clientId, [site])).get(site.siteId) ?? [];
}

/** The ancestors of each, from the root down; one read for each level, however many sites there are. */
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

/** These sites and all below them, as `includeSubsites` asks for. Throws `invalid_request` for more than `MAX_SITES`. */
export async function withSubsites(
  sites: Pick<SiteReader, 'childIds'>,
  clientId: string,
  siteIds: readonly number[],
): Promise<number[]> {
  return [...(await levelsBelow(sites, clientId, siteIds, '?includeSubsites')).all];
}

/** How many levels there are below a site. */
export async function heightOf(sites: Pick<SiteReader, 'childIds'>, site: Site): Promise<number> {
  return (await levelsBelow(sites, site.clientId, [site.siteId], '/parentSiteId')).levels;
}

async function levelsBelow(
  sites: Pick<SiteReader, 'childIds'>,
  clientId: string,
  siteIds: readonly number[],
  /** What the caller asked for the walk by. */
  path: string,
): Promise<{ readonly all: ReadonlySet<number>; readonly levels: number }> {
  const all = new Set(siteIds);
  let last = [...all];
  let levels = -1;
  for (; last.length > 0 && levels < MAX_LEVELS; levels += 1) {
    last = (await sites.childIds(clientId, last)).filter((siteId) => !all.has(siteId));
    for (const siteId of last) all.add(siteId);
    if (all.size > MAX_SITES) {
      const message = `takes in more than ${String(MAX_SITES)} sites`;
      throw invalidInput(`There are more than ${String(MAX_SITES)} sites below: name a smaller part.`, {
        path,
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
