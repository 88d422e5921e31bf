import { createSite, GROUP_TYPES, type CreateSiteDeps } from '@busbar/domain';
import { route } from '../route';
import { groupIdSchema, nameSchema, textSchema } from '../schemas/values';

export const addGroupRoute = (deps: CreateSiteDeps) =>
  route({
    method: 'POST',
    path: '/group/add',
    tag: 'Groups',
    summary: 'Create a group',
    description: 'A group is a site that chargers belong to. At least one is needed before chargers are added.',
    permission: 'sites:write',
    body: {
      title: 'GroupInput',
      type: 'object',
      properties: {
        name: nameSchema,
        parentGroupId: groupIdSchema,
        groupType: { type: 'string', enum: GROUP_TYPES },
        externalId: textSchema,
      },
      required: ['name'],
    },
    response: {
      title: 'GroupId',
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
    errors: ['invalid_site_id'],
    async handler({ auth, body: { name, parentGroupId, groupType, externalId } }) {
      const { siteId } = await createSite(deps, auth.clientId, {
        name,
        ...(parentGroupId === undefined ? {} : { parentSiteId: parentGroupId }),
        ...(groupType === undefined ? {} : { groupType }),
        ...(externalId === undefined ? {} : { externalId }),
      });
      return { id: siteId };
    },
  });
