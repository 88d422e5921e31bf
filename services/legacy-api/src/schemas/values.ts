// Parts that several schemas of this API are made of. What both generations take alike is the domain's.
import { chargerIdSchema, siteIdSchema } from '@busbar/api';

/** A group is the newer generation's site; a site that is refused is `invalid_group_id` here. */
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

export const chargerIdAnswerSchema = {
  title: 'ChargerId',
  type: 'object',
  properties: { chargerId: { type: 'string' } },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupIdAnswerSchema = {
  title: 'GroupId',
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  additionalProperties: false,
} as const;
