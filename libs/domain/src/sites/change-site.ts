// Changing and deleting sites. What does not touch the tree is a compare-and-set on the site. What does (a move, a deletion)
// is announced in the client's tree first: announcements are numbered and made one after the other, and who finds one that
// was not made makes it himself. So the tree that a change was checked against is the tree that it is made in: two moves
// at once make no circle, and no process that dies half way leaves anything to be cleaned up.
import { AppError, type Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import type { ChargerLister } from '../chargers/charger-listing';
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
  /** Whether the caller means the site in that version (`siteVersion`); absent: whatever it is. */
  readonly ifMatch?: ((version: string) => boolean) | undefined;
}

/** Absent: as it is. Null: as if nothing had been said of it. */
export type SiteChange = { readonly [K in keyof SiteInput]?: K extends 'name' ? string : SiteInput[K] | null };

/** Of a change that lost every round to another caller's. */
const CONTENDED = 'Others keep changing the same sites.';

/**
 * Throws `not_found`; `precondition_failed` when it is another version than the caller means; of a move `invalid_site_id`
 * when the parent is unknown or another client's, `site_circle`, and `conflict` when the tree would be too deep. What says
 * nothing new leaves the site in its version.
 */
export async function updateSite(deps: ChangeSiteDeps, owned: OwnedSite, change: SiteChange): Promise<Site> {
  const fields = fieldsOf(change);
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

/** Throws `not_found`, `precondition_failed`, and `site_not_empty` while chargers or other sites are in it. */
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

/** Asked last: what would be refused of any version is told first. The write is of this very version. */
function refuseOtherVersion(site: Site, { ifMatch }: OwnedSite): void {
  if (ifMatch?.(siteVersion(site)) !== false) return;
  throw new AppError('precondition_failed', 'The site was changed in the meantime. Read it again, then change it.');
}

async function reread({ sites }: ChangeSiteDeps, { clientId, siteId }: Site): Promise<Site> {
  const site = await sites.find(clientId, siteId);
  if (site === undefined) throw new AppError('not_found', `The site (group) ${String(siteId)} was deleted just now.`);
  return site;
}

function fieldsOf(change: SiteChange): SitePatch {
  const cleared: Record<string, unknown> = { ...SITE_DEFAULTS };
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? cleared[name]]));
}

async function refuseMove({ sites }: ChangeSiteDeps, site: Site, parentSiteId: number | null): Promise<void> {
  if (parentSiteId === null) return;
  const parent = await sites.find(site.clientId, parentSiteId);
  if (parent === undefined) throw unknownParent(parentSiteId);
  const path = [...(await ancestorsOf(sites, parent)), parent];
  if (path.some(({ siteId }) => siteId === site.siteId)) {
    throw new AppError('site_circle', `Site (group) ${String(parentSiteId)} is the site itself or stands below it.`);
  }
  if (path.length + 1 + (await heightOf(sites, site)) > MAX_LEVELS) throw tooDeep();
}

function refuseFull(subsites: number, chargers: number): void {
  if (subsites + chargers === 0) return;
  throw new AppError(
    'site_not_empty',
    `In this site (group) are ${String(chargers)} chargers and ${String(subsites)} other sites: move or delete them first.`,
  );
}

/** The tree with no change under way: one that somebody announced and did not make is made first. */
async function stableTree({ sites }: ChangeSiteDeps, clientId: string): Promise<SiteTree> {
  const tree = await sites.readTree(clientId);
  if (tree.pending === null) return tree;
  await sites.make(clientId, tree.changes, tree.pending);
  await sites.settle(clientId, tree.changes);
  return { changes: tree.changes, pending: null };
}

/** Whether it was made, by whomever. */
async function changeTree(
  { sites, clock }: ChangeSiteDeps,
  tree: SiteTree,
  { site, fields }: { readonly site: Site; readonly fields: SitePatch | null },
): Promise<boolean> {
  const { clientId, siteId, version = 0, arrivals = 0 } = site;
  const change: SiteTreeChange = { siteId, version, arrivals, fields, at: toTimestamp(clock.now()) };
  if (!(await sites.announce(clientId, tree, change))) return false;
  const number = tree.changes + 1;
  const isMadeHere = await sites.make(clientId, number, change);
  await sites.settle(clientId, number);
  if (isMadeHere) return true;
  const now = await sites.find(clientId, siteId);
  return fields === null ? now === undefined : now?.treeChange === number;
}
