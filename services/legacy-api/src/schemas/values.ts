// Common parts of this API's schemas. Those of both APIs are in libs/api.
import { chargerIdSchema, siteIdSchema } from '@busbar/api';
import { field } from '@busbar/http';

/** Types of fields in responses, which have no limits. */
export const string = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const boolean = { type: 'boolean' } as const;
export const count = { type: 'integer', minimum: 0 } as const;

/** A group is a site of the v2 API; an invalid one is `invalid_group_id` here. */
export const groupIdSchema = field(siteIdSchema, 'Id of a group of this client.');

/** Fields of several responses. */
export const common = {
  chargerId: field(string, 'Id of the charger.', 'ACME_1'),
  groupId: field(integer, 'Id of the group.', 1),
  groupName: field(string, 'Name of the group.', 'Harbour'),
} as const;

export const chargerParamsSchema = {
  type: 'object',
  properties: { chargerId: chargerIdSchema },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupParamsSchema = {
  type: 'object',
  properties: { groupId: groupIdSchema },
  required: ['groupId'],
  additionalProperties: false,
} as const;

export const chargerIdResponseSchema = {
  title: 'ChargerId',
  type: 'object',
  description: 'The id of the charger.',
  properties: { chargerId: common.chargerId },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupIdResponseSchema = {
  title: 'GroupId',
  type: 'object',
  description: 'The id of the group.',
  properties: { id: common.groupId },
  required: ['id'],
  additionalProperties: false,
} as const;
