import type { Clock } from '@busbar/core';
import {
  deleteSite,
  listSites,
  placeSites,
  readSite,
  siteVersion,
  updateSite,
  type ChangeSiteDeps,
  type PlacedSite,
  type PlaceSiteDeps,
} from '@busbar/domain/sites';
import { cursorPageSchema, cursorPageWanted, cursorReply } from '@busbar/http';
import { presentSite } from '../presenters/present-site';
import { route, versionedRoute } from '../route';
import { sitePatchSchema, siteQuerySchema, siteSchema } from '../schemas/site';
import { common, recordSchema, siteParamsSchema } from '../schemas/values';

const TAG = 'Sites';
const path = '/sites/:siteId';

export const listSitesRoute = (deps: PlaceSiteDeps & { readonly clock: Clock }) =>
  route({
    method: 'GET',
    path: '/sites',
    tag: TAG,
    operationId: 'listSites',
    summary: 'List sites',
    description: 'A site matches all filters.',
    permission: 'sites:read',
    query: siteQuerySchema,
    response: cursorPageSchema('SitePage', siteSchema),
    errors: ['invalid_site_id'],
    async handler({ auth, query }) {
      const order = { list: 'sites', sortKey: 'id', sortDescending: false, now: deps.clock.now() } as const;
      const page = cursorPageWanted(query, order);
      const { country, city, parentSiteId, showOnlyRootSites: onlyRoots, search } = query;
      const filter = { country, city, search, parentSiteId, onlyRoots, updatedSince: page.updatedSince };
      const found = await listSites(deps, auth.clientId, filter, page);
      return cursorReply(page, { ...found, items: found.items.map(presentSite) });
    },
  });

export const readSiteRoute = (deps: PlaceSiteDeps) =>
  versionedRoute({
    method: 'GET',
    path,
    tag: TAG,
    operationId: 'getSite',
    summary: 'Read a site',
    permission: 'sites:read',
    params: siteParamsSchema,
    response: siteSchema,
    errors: ['invalid_site_id', 'not_found'],
    handler: async ({ auth, params }) => versioned(await readSite(deps, auth.clientId, params.siteId)),
  });

export const updateSiteRoute = (deps: ChangeSiteDeps & PlaceSiteDeps) =>
  versionedRoute({
    method: 'PATCH',
    path,
    tag: TAG,
    operationId: 'updateSite',
    summary: 'Change or move a site',
    description: 'A site cannot be moved below itself.',
    permission: 'sites:write',
    params: siteParamsSchema,
    body: sitePatchSchema,
    response: siteSchema,
    errors: ['invalid_site_id', 'not_found', 'site_circle', 'conflict'],
    async handler({ auth: { clientId }, params: { siteId }, body, ifMatch }) {
      const site = await updateSite(deps, { clientId, siteId, ifMatch }, body);
      const [placed] = await placeSites(deps, clientId, [site]);
      return versioned(placed ?? { site, ancestors: [], numberOfChargers: 0, numberOfSubsites: 0 });
    },
  });

export const deleteSiteRoute = (deps: ChangeSiteDeps) =>
  versionedRoute({
    method: 'DELETE',
    path,
    endsRecord: true,
    tag: TAG,
    operationId: 'deleteSite',
    summary: 'Delete an empty site',
    permission: 'sites:write',
    params: siteParamsSchema,
    response: recordSchema('DeletedSite', 'The id of the deleted site.', { id: common.siteId }),
    errors: ['invalid_site_id', 'not_found', 'site_not_empty', 'conflict'],
    async handler({ auth: { clientId }, params: { siteId }, ifMatch }) {
      const site = await deleteSite(deps, { clientId, siteId, ifMatch });
      return { body: { id: siteId }, version: siteVersion(site) };
    },
  });

function versioned(placed: PlacedSite) {
  return { body: presentSite(placed), version: siteVersion(placed.site) };
}
