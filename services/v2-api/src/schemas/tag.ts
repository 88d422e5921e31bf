import { rfidTagSchema } from '@busbar/api';
import { nullableTimestampSchema, nullableTextSchema, recordSchema, timestampSchema } from './values';

const idTagSchema = {
  ...rfidTagSchema,
  description: '1 to 36 printable ASCII characters, compared without case. OCPP 1.6 carries at most 20.',
} as const;

const inputFields = {
  startDate: { ...nullableTimestampSchema, description: 'Before it the tag is not valid yet.' },
  expiringDate: { ...nullableTimestampSchema, description: 'From then on the tag is expired.' },
  tokenName: nullableTextSchema,
  blocked: { type: ['boolean', 'null'] },
  parentIdTag: {
    type: ['string', 'null'],
    pattern: rfidTagSchema.pattern,
    description: 'The group of the tag, which chargers get with each authorization. It need not be a tag.',
  },
  externalId: nullableTextSchema,
} as const;

export const tagInputSchema = {
  title: 'TagInput',
  description: 'Null is the same as absent.',
  type: 'object',
  properties: { idTag: idTagSchema, ...inputFields },
  required: ['idTag'],
  additionalProperties: false,
} as const;

export const tagChangeSchema = {
  title: 'TagChange',
  type: 'object',
  properties: inputFields,
  additionalProperties: false,
} as const;

export const tagParamsSchema = {
  type: 'object',
  properties: { idTag: idTagSchema },
  required: ['idTag'],
  additionalProperties: false,
} as const;

export const tagSchema = recordSchema('Tag', {
  idTag: { type: 'string' },
  ...inputFields,
  blocked: { type: 'boolean' },
  updatedAt: timestampSchema,
});
