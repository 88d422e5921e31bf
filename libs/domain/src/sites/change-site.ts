// Changes and deletes sites. A change that keeps the tree is a compare-and-set on the site. A move or a deletion is
// announced in the client's tree first. Announcements are numbered and executed one after the other, and a process that
// finds an unfinished one executes it. So concurrent moves cannot make a circle, and a process that dies leaves nothing
// behind.
import { AppError, type Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import type { ChargerLister } from '../chargers/charger-listing';
import { withDefaults } from '../nullable';
import { toTimestamp } from '../timestamp';
import { retryOnConflict } from '../retry-on-conflict';
import {
  SITE_DEFAULTS,
  siteVersion,
  type Site,
  type SiteInput,
  type SitePatch,
  type SiteReader,
  type SiteTree,
  type SiteTreeChange,
  type SiteWriter,
} from './site';
import { tooDeep, unknownParent } from './create-site';
import { ancestorsOf, heightOf, MAX_LEVELS } from './site-tree';

export interface ChangeSiteDeps {
  readonly sites: SiteReader & SiteWriter;
  readonly chargers: Pick<ChargerLister, 'countBySite'>;
  readonly clock: Clock;
}

export interface OwnedSite {
  readonly clientId: string;
  readonly siteId: number;
  /** Returns whether this version (`siteVersion`) is the expected one. Absent: any version is. */
  readonly ifMatch?: ((version: string) => boolean) | undefined;
}

/** An absent field stays as it is; null clears it. */
export type SiteChange = { readonly [K in keyof SiteInput]?: K extends 'name' ? string : SiteInput[K] | null };

/** For a change that lost every attempt to other callers. */
const CONTENDED = 'Others keep changing the same sites.';

/**
 * Throws `not_found`, and `precondition_failed` for another version. A move throws `invalid_site_id` when the parent is
 * unknown or another client's, `site_circle`, and `conflict` when the tree would be too deep. A change without effect
 * leaves the version as it is.
 */
export async function updateSite(deps: ChangeSiteDeps, owned: OwnedSite, change: SiteChange): Promise<Site> {
  const fields: SitePatch = withDefaults<SiteInput>(change, SITE_DEFAULTS);
  const moves = fields.parentSiteId !== undefined;
  return retryOnConflict(CONTENDED, async () => {
    const tree = moves ? await stableTree(deps, owned.clientId) : undefined;
    const site = await readOwned(deps, owned);
    if (tree === undefined || fields.parentSiteId === site.parentSiteId) {
      refuseOtherVersion(site, owned);
      if (changesNothing(site, fields)) return site;
      return (await deps.sites.update(site, fields, toTimestamp(deps.clock.now()))) ? reread(deps, site) : undefined;
    }
    await refuseMove(deps, site, fields.parentSiteId ?? null);
    refuseOtherVersion(site, owned);
    return (await changeTree(deps, tree, { site, fields })) ? reread(deps, site) : undefined;
  });
}

/** Throws `not_found`, `precondition_failed`, and `site_not_empty` while it contains chargers or sites. */
export async function deleteSite(deps: ChangeSiteDeps, owned: OwnedSite): Promise<Site> {
  const { clientId, siteId } = owned;
  return retryOnConflict(CONTENDED, async () => {
    const tree = await stableTree(deps, clientId);
    const site = await readOwned(deps, owned);
    const [subsites, chargers] = await Promise.all([
      deps.sites.countChildren(clientId, [siteId]),
      deps.chargers.countBySite(clientId, [siteId]),
    ]);
    refuseFull(subsites.get(siteId) ?? 0, chargers.get(siteId) ?? 0);
    refuseOtherVersion(site, owned);
    return (await changeTree(deps, tree, { site, fields: null })) ? site : undefined;
  });
}

async function readOwned({ sites }: ChangeSiteDeps, { clientId, siteId }: OwnedSite): Promise<Site> {
  const site = await sites.find(clientId, siteId);
  if (site === undefined) throw new AppError('not_found', `There is no site (group) ${String(siteId)}.`);
  return site;
}

/** Checked last: errors that hold for any version come first. */
function refuseOtherVersion(site: Site, { ifMatch }: OwnedSite): void {
  if (ifMatch?.(siteVersion(site)) !== false) return;
  throw new AppError('precondition_failed', 'The site was changed in the meantime. Read it again, then change it.');
}

async function reread({ sites }: ChangeSiteDeps, { clientId, siteId }: Site): Promise<Site> {
  const site = await sites.find(clientId, siteId);
  if (site === undefined) throw new AppError('not_found', `The site (group) ${String(siteId)} was deleted meanwhile.`);
  return site;
}

async function refuseMove({ sites }: ChangeSiteDeps, site: Site, parentSiteId: number | null): Promise<void> {
  if (parentSiteId === null) return;
  const parent = await sites.find(site.clientId, parentSiteId);
  if (parent === undefined) throw unknownParent(parentSiteId);
  const path = [...(await ancestorsOf(sites, parent)), parent];
  if (path.some(({ siteId }) => siteId === site.siteId)) {
    throw new AppError('site_circle', `Site (group) ${String(parentSiteId)} is the site itself or below it.`);
  }
  if (path.length + 1 + (await heightOf(sites, site)) > MAX_LEVELS) throw tooDeep();
}

function refuseFull(subsites: number, chargers: number): void {
  if (subsites + chargers === 0) return;
  throw new AppError(
    'site_not_empty',
    `This site (group) contains ${String(chargers)} chargers and ${String(subsites)} sites: move or delete them first.`,
  );
}

/** The tree without a pending change: an unfinished one is executed first. */
async function stableTree({ sites }: ChangeSiteDeps, clientId: string): Promise<SiteTree> {
  const tree = await sites.readTree(clientId);
  if (tree.pending === null) return tree;
  await sites.make(clientId, tree.changes, tree.pending);
  await sites.finish(clientId, tree.changes);
  return { changes: tree.changes, pending: null };
}

/** Returns whether the change was executed, by any process. */
async function changeTree(
  { sites }: ChangeSiteDeps,
  tree: SiteTree,
  { site, fields }: { readonly site: Site; readonly fields: SitePatch | null },
): Promise<boolean> {
  const { clientId, siteId, version = 0, arrivals = 0 } = site;
  const change: SiteTreeChange = { siteId, version, arrivals, fields };
  if (!(await sites.announce(clientId, tree, change))) return false;
  const number = tree.changes + 1;
  const isMadeHere = await sites.make(clientId, number, change);
  await sites.finish(clientId, number);
  if (isMadeHere) return true;
  const now = await sites.find(clientId, siteId);
  return fields === null ? now === undefined : now?.treeChange === number;
}
