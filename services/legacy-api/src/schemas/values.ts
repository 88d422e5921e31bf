// Common parts of this API's schemas. Those of both APIs are in libs/api.
import { chargerIdSchema, integer, paramsSchema, recordSchema, siteIdSchema, string } from '@busbar/api';
import { field } from '@busbar/http';

export { boolean, count, integer, number, paramsSchema, recordSchema, string, timestampSchema } from '@busbar/api';

/** A group is a site of the v2 API; an invalid one is `invalid_group_id` here. */
export const groupIdSchema = field(siteIdSchema, 'Id of a group of this client.');

/** Fields of several responses. */
export const common = {
  chargerId: field(string, 'Id of the charger.', 'ACME_1'),
  groupId: field(integer, 'Id of the group.', 1),
  groupName: field(string, 'Name of the group.', 'Harbour'),
} as const;

export const chargerParamsSchema = paramsSchema({ chargerId: chargerIdSchema });
export const groupParamsSchema = paramsSchema({ groupId: groupIdSchema });

export const chargerIdResponseSchema = recordSchema('ChargerId', 'The id of the charger.', {
  chargerId: common.chargerId,
});
export const groupIdResponseSchema = recordSchema('GroupId', 'The id of the group.', { id: common.groupId });
