import { AppError } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import {
  ALL_PERMISSIONS,
  createApiKey,
  OPERATOR,
  PERMISSIONS,
  type ApiKey,
  type Permission,
} from '@busbar/domain/clients';
import { clientOf, misuse, positional, type AdminCommand, type Arguments } from './command';
import { table } from './table';

const CLIENT = { client: 'ID' };

export const keyCommands: readonly AdminCommand[] = [
  {
    name: ['key', 'create'],
    options: { ...CLIENT, name: 'NAME', permissions: 'A,B,…', expires: 'TIMESTAMP' },
    flags: [OPERATOR],
    about:
      'create an API key, which is shown only now; without --permissions it has all permissions. With --operator it also sees ' +
      'dead letters and processes of the whole deployment, over all clients',
    async run(context, given) {
      const clientId = await clientOf(context, given);
      const { key, secret } = await createApiKey(
        { apiKeys: context.records.apiKeys, clock: context.clock },
        {
          clientId,
          name: given.options['name'] ?? 'created by admin',
          permissions: permissionsOf(given),
          expiresAt: timestampOf(given.options['expires']),
        },
      );
      return {
        lines: [
          `client id  ${clientId}`,
          `key id     ${key.keyId}`,
          `API key    ${secret}   (stored nowhere: copy it now)`,
        ],
        data: { clientId, keyId: key.keyId, key: secret },
      };
    },
  },
  {
    name: ['key', 'list'],
    options: CLIENT,
    about: 'list the keys of a client that are not revoked',
    async run(context, given) {
      const keys = await context.records.apiKeys.list(await clientOf(context, given));
      return {
        lines: table(COLUMNS, keys),
        data: keys.map(({ keyId, name, permissions, createdAt, expiresAt, lastUsedAt }) => ({
          keyId,
          name,
          permissions,
          createdAt,
          expiresAt,
          lastUsedAt,
        })),
      };
    },
  },
  {
    name: ['key', 'revoke'],
    positionals: ['KEY_ID'],
    options: CLIENT,
    about: 'revoke a key, which is refused within a second',
    async run(context, given) {
      const keyId = positional(given, 0);
      const clientId = await clientOf(context, given);
      const revoked = await context.records.apiKeys.revoke(clientId, keyId, toTimestamp(context.clock.now()));
      if (!revoked) throw new AppError('not_found', `Client ${clientId} has no key ${keyId} that could be revoked.`);
      return { lines: [`revoked ${keyId}`], data: { keyId } };
    },
  },
];

const COLUMNS = [
  { header: 'ID', value: ({ keyId }: ApiKey) => keyId },
  { header: 'CREATED', value: ({ createdAt }: ApiKey) => createdAt },
  { header: 'LAST USED', value: ({ lastUsedAt }: ApiKey) => lastUsedAt ?? 'never' },
  { header: 'EXPIRES', value: ({ expiresAt }: ApiKey) => expiresAt ?? 'never' },
  { header: 'NAME', value: ({ name }: ApiKey) => name },
];

function permissionsOf({ options, flags }: Arguments): readonly Permission[] {
  const ofClient = clientPermissionsOf(options['permissions']);
  return flags.has(OPERATOR) ? [...ofClient, OPERATOR] : ofClient;
}

function clientPermissionsOf(list: string | undefined): readonly Permission[] {
  if (list === undefined) return ALL_PERMISSIONS;
  return list.split(',').map((word) => {
    const permission = PERMISSIONS.find((known) => known === word.trim());
    if (permission === undefined) throw misuse(`Unknown permission ${word}: there are ${PERMISSIONS.join(', ')}.`);
    return permission;
  });
}

function timestampOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const date = new Date(given);
  if (Number.isNaN(date.getTime())) throw misuse('--expires needs a timestamp such as 2030-01-31T12:00:00Z.');
  return toTimestamp(date);
}
