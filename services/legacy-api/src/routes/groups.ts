import { AppError } from '@busbar/core';
import type { ApiKey } from '@busbar/domain/clients';
import { deleteSite, readSiteTree, updateSite, type ChangeSiteDeps, type ReadSiteTreeDeps } from '@busbar/domain/sites';
import { parseGroup } from '../presenters/parse-group';
import { presentGroup, presentNode } from '../presenters/present-group';
import { longRoute, route } from '../route';
import { groupChangeSchema, groupNodeSchema, groupQuerySchema, groupSchema, groupTreeSchema } from '../schemas/group';
import { groupIdResponseSchema, groupParamsSchema } from '../schemas/values';

const TAG = 'Groups';
const path = '/group/:groupId';

export const listGroupsRoute = (deps: ReadSiteTreeDeps) =>
  longRoute({
    method: 'GET',
    path: '/group',
    tag: TAG,
    operationId: 'listGroups',
    summary: 'Read the tree of groups',
    description:
      'Returns the root groups with all groups below them, and their chargers unless excludeDetails is true.',
    permission: 'sites:read',
    query: groupQuerySchema,
    response: groupTreeSchema,
    errors: ['forbidden'],
    async handler({ auth, query: { excludeDetails = false } }) {
      const nodes = await readSiteTree(deps, auth.clientId, { withChargers: mayShow(auth, !excludeDetails) });
      return nodes.map(presentNode);
    },
  });

export const readGroupRoute = (deps: ReadSiteTreeDeps) =>
  longRoute({
    method: 'GET',
    path,
    tag: TAG,
    operationId: 'getGroup',
    summary: 'Read a group and the groups below it',
    description: 'With their chargers, unless excludeDetails is true.',
    permission: 'sites:read',
    params: groupParamsSchema,
    query: groupQuerySchema,
    response: groupNodeSchema,
    errors: ['invalid_site_id', 'not_found', 'forbidden'],
    async handler({ auth, params: { groupId }, query: { excludeDetails = false } }) {
      const wanted = { siteId: groupId, withChargers: mayShow(auth, !excludeDetails) };
      const [node] = await readSiteTree(deps, auth.clientId, wanted);
      if (node === undefined) throw new AppError('not_found', `There is no group ${String(groupId)}.`);
      return presentNode(node);
    },
  });

export const changeGroupRoute = (deps: ChangeSiteDeps) =>
  route({
    method: 'PUT',
    path,
    tag: TAG,
    operationId: 'updateGroup',
    summary: 'Change or move a group',
    description: 'A group cannot be moved below itself.',
    permission: 'sites:write',
    params: groupParamsSchema,
    body: groupChangeSchema,
    response: groupSchema,
    errors: ['invalid_site_id', 'not_found', 'site_circle', 'conflict'],
    handler: async ({ auth: { clientId }, params: { groupId }, body }) =>
      presentGroup(await updateSite(deps, { clientId, siteId: groupId }, parseGroup(body))),
  });

export const deleteGroupRoute = (deps: ChangeSiteDeps) =>
  route({
    method: 'DELETE',
    path,
    tag: TAG,
    operationId: 'deleteGroup',
    summary: 'Delete an empty group',
    permission: 'sites:write',
    params: groupParamsSchema,
    response: groupIdResponseSchema,
    errors: ['invalid_site_id', 'not_found', 'site_not_empty', 'conflict'],
    async handler({ auth: { clientId }, params: { groupId } }) {
      await deleteSite(deps, { clientId, siteId: groupId });
      return { id: groupId };
    },
  });

/** A tree with chargers requires the permission of a list of chargers. */
function mayShow({ permissions }: ApiKey, withChargers: boolean): boolean {
  if (!withChargers || permissions.includes('chargers:read')) return withChargers;
  throw new AppError('forbidden', 'This API key lacks the permission chargers:read. Send excludeDetails=true.');
}
