import { createSite, type CreateSiteDeps } from '@busbar/domain/sites';
import { parseGroup } from '../presenters/parse-group';
import { route } from '../route';
import { groupInputSchema } from '../schemas/group';
import { groupIdResponseSchema } from '../schemas/values';

export const addGroupRoute = (deps: CreateSiteDeps) =>
  route({
    method: 'POST',
    path: '/group/add',
    tag: 'Groups',
    operationId: 'createGroup',
    summary: 'Create a group',
    description: 'Chargers belong to a group. Create one before the first charger.',
    permission: 'sites:write',
    body: groupInputSchema,
    response: groupIdResponseSchema,
    errors: ['invalid_site_id', 'conflict'],
    async handler({ auth, body }) {
      const { name } = body;
      const { siteId } = await createSite(deps, auth.clientId, { ...parseGroup(body), name });
      return { id: siteId };
    },
  });
