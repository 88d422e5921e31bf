import { createSite, placeNewSite, type CreateSiteDeps } from '@busbar/domain';
import { presentSite } from '../presenters/present-site';
import { route } from '../route';
import { siteInputSchema, siteSchema } from '../schemas/site';

export const createSiteRoute = (deps: CreateSiteDeps) =>
  route({
    method: 'POST',
    path: '/sites',
    tag: 'Sites',
    summary: 'Create a site',
    description: 'A place that chargers belong to. At least one is needed before chargers are added.',
    permission: 'sites:write',
    body: siteInputSchema,
    response: siteSchema,
    errors: ['invalid_site_id'],
    handler: async ({ auth, body }) =>
      presentSite(await placeNewSite(deps, await createSite(deps, auth.clientId, body))),
  });
