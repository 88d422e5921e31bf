import { nameSchema } from '@busbar/api';
import { PERMISSIONS } from '@busbar/domain/clients';
import { timestampSchema, nullableTimestampSchema, recordSchema } from './values';

const permissionsSchema = {
  type: 'array',
  items: { type: 'string', enum: PERMISSIONS },
  minItems: 1,
  uniqueItems: true,
} as const;

export const apiKeyInputSchema = {
  title: 'ApiKeyInput',
  type: 'object',
  properties: { name: nameSchema, permissions: permissionsSchema, expiresAt: nullableTimestampSchema },
  required: ['name', 'permissions'],
  additionalProperties: false,
} as const;

const fields = {
  id: { type: 'string' },
  name: { type: 'string' },
  permissions: permissionsSchema,
  expiresAt: nullableTimestampSchema,
  createdAt: timestampSchema,
  lastUsedAt: {
    ...nullableTimestampSchema,
    description: 'Updated at most once a minute. Null before the first use.',
  },
} as const;

export const apiKeySchema = recordSchema('ApiKey', fields);

export const newApiKeySchema = recordSchema('NewApiKey', {
  ...fields,
  key: { type: 'string', description: 'The secret. Only this response shows it; only its hash is stored.' },
});
