import { nameSchema } from '@busbar/api';
import { OPERATOR, PERMISSIONS } from '@busbar/domain/clients';
import { field } from '@busbar/http';
import { common, nullableTimestampSchema, recordSchema, string } from './values';

export const keyIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Id of the API key. It is not the secret.',
  examples: ['key_01jax5z3v1c4e6g8j0m2p4r6tv'],
} as const;

const permissionsSchema = {
  type: 'array',
  items: { type: 'string', enum: PERMISSIONS },
  minItems: 1,
  uniqueItems: true,
  description: 'Permissions of the key.',
  examples: [['chargers:read', 'chargers:operate', 'sessions:read']],
} as const;

const own = {
  name: field(nameSchema, 'Name of the key, such as the system that uses it.', 'Billing'),
  permissions: permissionsSchema,
  expiresAt: field(nullableTimestampSchema, 'The key is invalid from then on. Null: it does not expire.', null),
} as const;

const { expiresAt, ...required } = own;

/** Of an existing key: administration gives one more. */
const shownPermissionsSchema = {
  ...permissionsSchema,
  items: { type: 'string', enum: [...PERMISSIONS, OPERATOR] },
} as const;

export const apiKeyInputSchema = recordSchema('ApiKeyInput', 'An API key to create.', required, { expiresAt });

const fields = {
  id: field(string, 'Id of the API key. It is not the secret.', keyIdSchema.examples[0]),
  ...own,
  permissions: shownPermissionsSchema,
  createdAt: common.createdAt,
  lastUsedAt: field(nullableTimestampSchema, 'Updated at most once a minute. Null: before the first use.'),
} as const;

export const apiKeySchema = recordSchema('ApiKey', 'An API key without its secret.', fields);

export const newApiKeySchema = recordSchema('NewApiKey', 'The new API key with its secret.', {
  ...fields,
  key: field(
    string,
    'The secret. Only this response shows it; only its hash is stored.',
    'bb_EXAMPLE-this-key-is-not-valid-000000000000',
  ),
});
