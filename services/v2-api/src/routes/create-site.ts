import { createSite, placeNewSite, siteVersion, type CreateSiteDeps } from '@busbar/domain/sites';
import { presentSite } from '../presenters/present-site';
import { versionedRoute } from '../route';
import { siteInputSchema, siteSchema } from '../schemas/site';

export const createSiteRoute = (deps: CreateSiteDeps) =>
  versionedRoute({
    method: 'POST',
    path: '/sites',
    tag: 'Sites',
    operationId: 'createSite',
    summary: 'Create a site',
    description: 'Chargers belong to a site. Create one before the first charger.',
    permission: 'sites:write',
    body: siteInputSchema,
    response: siteSchema,
    errors: ['invalid_site_id', 'conflict'],
    async handler({ auth, body }) {
      const site = await createSite(deps, auth.clientId, body);
      return { body: presentSite(await placeNewSite(deps, site)), version: siteVersion(site) };
    },
  });
