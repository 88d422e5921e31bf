// Common parts of this API's schemas. Those of both APIs are in libs/api.
import { chargerIdSchema, siteIdSchema } from '@busbar/api';

/** A group is a site of the v2 API; an invalid one is `invalid_group_id` here. */
export const groupIdSchema = siteIdSchema;

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
  properties: { chargerId: { type: 'string' } },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupIdResponseSchema = {
  title: 'GroupId',
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  additionalProperties: false,
} as const;
