import { createSite, type CreateSiteDeps } from '@busbar/domain/sites';
import { parseGroup } from '../presenters/parse-group';
import { route } from '../route';
import { groupInputSchema } from '../schemas/group';
import { groupIdAnswerSchema } from '../schemas/values';

export const addGroupRoute = (deps: CreateSiteDeps) =>
  route({
    method: 'POST',
    path: '/group/add',
    tag: 'Groups',
    summary: 'Create a group',
    description: 'A group is a site that chargers belong to. At least one is needed before chargers are added.',
    permission: 'sites:write',
    body: groupInputSchema,
    response: groupIdAnswerSchema,
    errors: ['invalid_site_id', 'conflict'],
    async handler({ auth, body }) {
      const { name } = body;
      const { siteId } = await createSite(deps, auth.clientId, { ...parseGroup(body), name });
      return { id: siteId };
    },
  });
