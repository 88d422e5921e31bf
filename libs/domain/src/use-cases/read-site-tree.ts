// The tree of a client's sites with what stands in each: the older generation's view.
import { AppError } from '@busbar/core';
import type { Charger, ChargingState } from '../charger';
import type { ChargerLister } from '../charger-listing';
import { viewSockets } from '../charger-view';
import type { Site, SiteReader } from '../site';
import { eachCharger, MOST_CHARGERS } from './list-chargers';
import { MOST_SITES, withSubsites } from './site-tree';

export interface SiteNode {
  readonly site: Site;
  /** Of the site's own chargers, not of those below. */
  readonly sockets: { readonly online: number; readonly offline: number; readonly error: number };
  /** The site's own, by id; none unless they were asked for. */
  readonly chargers: readonly Charger[];
  /** By id. */
  readonly subsites: readonly SiteNode[];
}

export interface ReadSiteTreeDeps {
  readonly chargers: Pick<ChargerLister, 'scan' | 'countSockets'>;
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
  readonly chargers: Charger[];
}

/**
 * The roots of a client's tree, or the one site that is named. Throws `not_found` for that one, and `invalid_request` for
 * more than `MOST_SITES` sites or, when they are asked for, more than `MOST_CHARGERS` chargers.
 */
export async function readSiteTree(
  deps: ReadSiteTreeDeps,
  clientId: string,
  query: SiteTreeQuery,
): Promise<readonly SiteNode[]> {
  const sites = await sitesOf(deps, clientId, query.siteId);
  const contents = new Map(sites.map((site) => [site.siteId, emptyContent()]));
  if (query.withChargers) await readChargers(deps, clientId, { contents, isWhole: query.siteId === undefined });
  else await countSockets(deps, clientId, { contents, isWhole: query.siteId === undefined });
  return nodesOf(sites, contents, query.siteId);
}

interface Filled {
  readonly contents: ReadonlyMap<number, Content>;
  /** All of the client's sites. */
  readonly isWhole: boolean;
}

async function readChargers(deps: ReadSiteTreeDeps, clientId: string, { contents, isWhole }: Filled): Promise<void> {
  let kept = 0;
  // A part of the tree is read site by site, so that a small one costs little; the whole in one go.
  for (const siteId of isWhole ? [undefined] : contents.keys()) {
    for await (const charger of eachCharger(deps, clientId, siteId)) {
      const content = contents.get(charger.registered.siteId);
      if (content === undefined) continue;
      for (const { state } of viewSockets(charger)) addSockets(content, state, 1);
      kept += 1;
      if (kept > MOST_CHARGERS) throw tooMany();
      content.chargers.push(charger);
    }
  }
}

/** Without reading the chargers: a part of the tree may have any number of them. */
async function countSockets(deps: ReadSiteTreeDeps, clientId: string, { contents, isWhole }: Filled): Promise<void> {
  const counts = await deps.chargers.countSockets(clientId, isWhole ? undefined : [...contents.keys()]);
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
  const all = await deps.sites.listAll(clientId, MOST_SITES + 1);
  if (all.length <= MOST_SITES) return all;
  throw new AppError(
    'invalid_request',
    `There are more than ${String(MOST_SITES)} sites (groups): read them one by one.`,
  );
}

function nodesOf(
  sites: readonly Site[],
  contents: ReadonlyMap<number, Content>,
  rootId: number | undefined,
): readonly SiteNode[] {
  const children = new Map<number | null, Site[]>();
  for (const site of sites) {
    // One whose parent is not there, or not asked for, stands at the top.
    const isRoot = site.siteId === rootId || site.parentSiteId === null || !contents.has(site.parentSiteId);
    const parent = isRoot ? null : site.parentSiteId;
    const siblings = children.get(parent);
    if (siblings) siblings.push(site);
    else children.set(parent, [site]);
  }
  const nodesBelow = (parent: number | null): SiteNode[] =>
    (children.get(parent) ?? []).map((site) => {
      const { chargers, ...sockets } = contents.get(site.siteId) ?? emptyContent();
      return { site, sockets, chargers, subsites: nodesBelow(site.siteId) };
    });
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

function tooMany(): AppError {
  return new AppError(
    'invalid_request',
    `There are more than ${String(MOST_CHARGERS)} chargers: ask by groupId for a part of the tree (/api/group/:groupId), or leave them out (excludeDetails=true).`,
  );
}
