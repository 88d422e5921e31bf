import { AppError, type Clock } from '@busbar/core';
import { toInstant } from '../instant';
import type { Site, SiteInput, SiteReader, SiteWriter } from '../site';

export interface CreateSiteDeps {
  readonly sites: SiteReader & SiteWriter;
  readonly clock: Clock;
}

/** What a site has where its maker said nothing. */
const DEFAULTS: Omit<SiteInput, 'name'> = {
  publicName: null,
  externalId: null,
  parentSiteId: null,
  groupType: 'SITE',
  streetAddress: null,
  city: null,
  postalCode: null,
  country: null,
  latitude: null,
  longitude: null,
  timezone: null,
  isPublicSite: false,
  parkingType: null,
  tags: [],
  notes: null,
};

/** Throws `invalid_site_id` when the parent is unknown or another client's. */
export async function createSite(
  deps: CreateSiteDeps,
  clientId: string,
  input: Pick<SiteInput, 'name'> & Partial<SiteInput>,
): Promise<Site> {
  const parentSiteId = input.parentSiteId ?? null;
  if (parentSiteId !== null && (await deps.sites.find(clientId, parentSiteId)) === undefined) {
    throw new AppError('invalid_site_id', `There is no site (group) ${String(parentSiteId)} to be the parent.`);
  }
  const at = toInstant(deps.clock.now());
  const site: Site = {
    ...DEFAULTS,
    ...input,
    siteId: await deps.sites.nextId(),
    clientId,
    createdAt: at,
    updatedAt: at,
  };
  await deps.sites.insert(site);
  return site;
}
