// The tree of a client's sites with their contents, for the v1 API.
import { AppError } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import type { ChargingState } from '../chargers/reported-status';
import type { ChargerLister } from '../chargers/charger-listing';
import { viewSockets } from '../chargers/charger-view';
import type { Site, SiteReader } from './site';
import { AT_A_TIME, chargersInPages } from '../chargers/list-chargers';
import type { LocatedCharger } from '../chargers/read-charger';
import { MAX_SITES, withSubsites } from './site-tree';

export interface SiteNode {
  readonly site: Site;
  /** Counts the site's own chargers, not those below. */
  readonly sockets: { readonly online: number; readonly offline: number; readonly error: number };
  /** The site's own chargers by id, where requested. In a large tree they are read while they are consumed. */
  readonly chargers: AsyncIterable<LocatedCharger>;
  /** By id. */
  readonly subsites: readonly SiteNode[];
}

export interface ReadSiteTreeDeps {
  readonly chargers: Pick<ChargerLister, 'scan' | 'findMany' | 'countSockets'>;
  readonly sites: Pick<SiteReader, 'find' | 'findMany' | 'childIds' | 'listAll'>;
}

export interface SiteTreeQuery {
  /** Absent: all sites. */
  readonly siteId?: number;
  readonly withChargers: boolean;
}

interface Content {
  online: number;
  offline: number;
  error: number;
  /** The first chargers as records, the others as ids to read later. */
  readonly chargers: (Charger | string)[];
}

/** Records that a tree holds in memory. A small tree is read once, so its counts and records agree. */
const MAX_CHARGERS_LISTED = 1_000;

/**
 * The roots of a client's tree, or one named site. A charger appears once, at its site at the time of counting. A
 * charger that is deleted before it is read is left out; one that is moved meanwhile may be. Throws `not_found` for the
 * named site, and `invalid_request` for more than `MAX_SITES` sites.
 */
export async function readSiteTree(
  deps: ReadSiteTreeDeps,
  clientId: string,
  query: SiteTreeQuery,
): Promise<readonly SiteNode[]> {
  const sites = await sitesOf(deps, clientId, query.siteId);
  const contents = new Map(sites.map((site) => [site.siteId, emptyContent()]));
  if (query.withChargers) await readChargers(deps, clientId, { contents, isComplete: query.siteId === undefined });
  else await countSockets(deps, clientId, { contents, isComplete: query.siteId === undefined });
  return nodesOf(sites, query.siteId, (site) => {
    const { chargers, ...sockets } = contents.get(site.siteId) ?? emptyContent();
    return { sockets, chargers: eachOf(deps, site, chargers) };
  });
}

interface Filled {
  readonly contents: ReadonlyMap<number, Content>;
  /** All of the client's sites. */
  readonly isComplete: boolean;
}

async function readChargers(deps: ReadSiteTreeDeps, clientId: string, { contents, isComplete }: Filled): Promise<void> {
  let listed = 0;
  // A charger that is moved meanwhile may be found at both sites.
  const seen = new Set<string>();
  // A part of the tree is read site by site, the whole tree at once.
  for (const siteId of isComplete ? [undefined] : contents.keys()) {
    for await (const some of chargersInPages(deps, clientId, siteId)) {
      for (const charger of some) {
        const content = contents.get(charger.registered.siteId);
        if (content === undefined || seen.has(charger.chargerId)) continue;
        if (!isComplete) seen.add(charger.chargerId);
        for (const { state } of viewSockets(charger)) addSockets(content, state, 1);
        content.chargers.push(listed < MAX_CHARGERS_LISTED ? charger : charger.chargerId);
        listed += 1;
      }
    }
  }
}

async function* eachOf(
  { chargers }: Pick<ReadSiteTreeDeps, 'chargers'>,
  { clientId, siteId, name: siteName }: Site,
  wanted: readonly (Charger | string)[],
): AsyncGenerator<LocatedCharger> {
  for (let from = 0; from < wanted.length; from += AT_A_TIME) {
    const some = wanted.slice(from, from + AT_A_TIME);
    const ids = some.filter((each) => typeof each === 'string');
    const read = ids.length === 0 ? [] : await chargers.findMany(clientId, ids);
    const byId = new Map(read.map((charger) => [charger.chargerId, charger]));
    for (const each of some) {
      const charger = typeof each === 'string' ? byId.get(each) : each;
      if (charger === undefined) continue;
      // Its site at that time, even if it was moved since.
      yield { charger: { ...charger, registered: { ...charger.registered, siteId } }, siteName };
    }
  }
}

/** Counted without reading the chargers, whose number is unbounded. */
async function countSockets(deps: ReadSiteTreeDeps, clientId: string, { contents, isComplete }: Filled): Promise<void> {
  const counts = await deps.chargers.countSockets(clientId, isComplete ? undefined : [...contents.keys()]);
  for (const [siteId, content] of contents) {
    for (const [state, sockets] of counts.get(siteId) ?? []) addSockets(content, state, sockets);
  }
}

async function sitesOf(deps: ReadSiteTreeDeps, clientId: string, siteId: number | undefined): Promise<readonly Site[]> {
  if (siteId !== undefined) {
    if ((await deps.sites.find(clientId, siteId)) === undefined) {
      throw new AppError('not_found', `There is no site (group) ${String(siteId)}.`);
    }
    const found = await deps.sites.findMany(clientId, await withSubsites(deps.sites, clientId, [siteId]));
    return [...found].sort((a, b) => a.siteId - b.siteId);
  }
  const all = await deps.sites.listAll(clientId, MAX_SITES + 1);
  if (all.length <= MAX_SITES) return all;
  throw new AppError(
    'invalid_request',
    `There are more than ${String(MAX_SITES)} sites (groups): read them one by one.`,
  );
}

function nodesOf(
  sites: readonly Site[],
  rootId: number | undefined,
  contentOf: (site: Site) => Pick<SiteNode, 'sockets' | 'chargers'>,
): readonly SiteNode[] {
  const known = new Set(sites.map(({ siteId }) => siteId));
  const children = new Map<number | null, Site[]>();
  for (const site of sites) {
    // A site whose parent is absent or not requested is a root.
    const isRoot = site.siteId === rootId || site.parentSiteId === null || !known.has(site.parentSiteId);
    const parent = isRoot ? null : site.parentSiteId;
    const siblings = children.get(parent);
    if (siblings) siblings.push(site);
    else children.set(parent, [site]);
  }
  const nodesBelow = (parent: number | null): SiteNode[] =>
    (children.get(parent) ?? []).map((site) => ({ site, ...contentOf(site), subsites: nodesBelow(site.siteId) }));
  return nodesBelow(null);
}

function emptyContent(): Content {
  return { online: 0, offline: 0, error: 0, chargers: [] };
}

function addSockets(content: Content, state: ChargingState, sockets: number): void {
  if (state === 'Offline') content.offline += sockets;
  else if (state === 'Error') content.error += sockets;
  else content.online += sockets;
}
