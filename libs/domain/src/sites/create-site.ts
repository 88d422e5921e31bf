import { AppError, type Clock } from '@busbar/core';
import { toTimestamp } from '../timestamp';
import { omitNil, type Nullable } from '../nullable';
import { SITE_DEFAULTS, type Site, type SiteInput, type SiteReader, type SiteWriter } from './site';
import { ancestorsOf, MAX_LEVELS } from './site-tree';

export interface CreateSiteDeps {
  readonly sites: Pick<SiteReader, 'find' | 'findMany'> & Pick<SiteWriter, 'nextId' | 'insert' | 'arrive' | 'withdraw'>;
  readonly clock: Clock;
}

/**
 * Null equals absent. Throws `invalid_site_id` when the parent is unknown or another client's, `conflict` when the tree
 * would be too deep.
 */
export async function createSite(
  deps: CreateSiteDeps,
  clientId: string,
  input: Pick<SiteInput, 'name'> & Nullable<Omit<SiteInput, 'name'>>,
): Promise<Site> {
  const parentSiteId = input.parentSiteId ?? null;
  if (parentSiteId !== null) await refuseParent(deps.sites, clientId, parentSiteId);
  const at = toTimestamp(deps.clock.now());
  const site: Site = {
    ...SITE_DEFAULTS,
    ...omitNil<Pick<SiteInput, 'name'> & Partial<SiteInput>>(input),
    siteId: await deps.sites.nextId(),
    clientId,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  await deps.sites.insert(site);
  // Announced after the insert: either a concurrent deletion of the parent sees it, or this finds the parent deleted.
  if (parentSiteId !== null && !(await deps.sites.arrive(clientId, parentSiteId))) {
    await deps.sites.withdraw(site);
    throw unknownParent(parentSiteId);
  }
  return site;
}

async function refuseParent(sites: CreateSiteDeps['sites'], clientId: string, parentSiteId: number): Promise<void> {
  const parent = await sites.find(clientId, parentSiteId);
  if (parent === undefined) throw unknownParent(parentSiteId);
  if ((await ancestorsOf(sites, parent)).length + 2 > MAX_LEVELS) throw tooDeep();
}

export function unknownParent(parentSiteId: number): AppError {
  return new AppError('invalid_site_id', `There is no parent site (group) ${String(parentSiteId)}.`, {
    details: { issues: [{ field: 'parentSiteId', message: 'is no site of this client' }] },
  });
}

export function tooDeep(): AppError {
  return new AppError('conflict', `A tree of sites has at most ${String(MAX_LEVELS)} levels.`);
}
