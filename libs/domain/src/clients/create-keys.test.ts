// createClient and grantApiKey, with createApiKey below both.
import { createFakeClock } from '@busbar/testing';
import { hashApiKey, type ApiKey, type ApiKeyWriter } from './api-key';
import type { Client, ClientWriter } from './client';
import { ALL_PERMISSIONS } from './create-api-key';
import { createClient, type CreateClientInput } from './create-client';
import { grantApiKey, MAX_API_KEYS } from './grant-api-key';

const NOW = '2026-02-01T00:00:00.000Z';
const SOON = '2026-03-01T00:00:00.000Z';
const LATE = '2026-04-01T00:00:00.000Z';
const SECRET = 'sixteen letters.';
const BAD_SECRET = {
  code: 'invalid_request',
  message: 'An API key has 16 to 200 printable ASCII characters and no space at its ends.',
};
const BAD_NAME = { code: 'invalid_request', message: 'A client name has 1 to 200 characters.' };

function open() {
  const clients = new Map<string, Client>();
  const keys: ApiKey[] = [];
  const unused = () => Promise.reject(new Error('not for these use cases'));
  const clientWriter: ClientWriter = {
    change: unused,
    insert: (client) => {
      if (clients.has(client.clientId)) return Promise.resolve('exists');
      clients.set(client.clientId, client);
      return Promise.resolve('inserted');
    },
  };
  const apiKeys: ApiKeyWriter = {
    revoke: unused,
    touch: unused,
    insert: (key) => {
      if (keys.some(({ hash }) => hash === key.hash)) return Promise.resolve('exists');
      keys.push(key);
      return Promise.resolve('inserted');
    },
  };
  const list = (clientId: string) => Promise.resolve(keys.filter((key) => key.clientId === clientId));
  const clock = createFakeClock(new Date(NOW));
  return { clients, keys, deps: { clients: clientWriter, apiKeys: { ...apiKeys, list }, clock } };
}

describe('creating a client', () => {
  it.each<[string, CreateClientInput, object, RegExp]>([
    [
      'generates its id and its key',
      { name: 'Acme' },
      { clientId: expect.stringMatching(/^c_[\w-]{12}$/) as unknown },
      /^bb_[\w-]{43}$/,
    ],
    [
      'takes the given id and key',
      { name: 'Acme', clientId: 'acme', apiKey: SECRET },
      { clientId: 'acme' },
      /^sixteen letters\.$/,
    ],
    ['trims its name', { name: '  Acme ' }, {}, /^bb_/],
    ['accepts a key of 200 characters', { name: 'Acme', apiKey: 'x'.repeat(200) }, {}, /^x{200}$/],
  ])('%s, and gives the key every permission', async (_title, input, expected, secretForm) => {
    const { deps, clients, keys } = open();
    const { client, key, secret } = await createClient(deps, input);
    expect(client).toMatchObject({ name: 'Acme', openCharging: false, createdAt: NOW, ...expected });
    expect(secret).toMatch(secretForm);
    expect(key).toMatchObject({ clientId: client.clientId, name: 'first key', permissions: ALL_PERMISSIONS });
    expect(key).toMatchObject({ expiresAt: null, revokedAt: null, createdAt: NOW, hash: hashApiKey(secret) });
    expect([[...clients.values()], keys]).toEqual([[client], [key]]);
  });

  it.each<[string, CreateClientInput, object]>([
    ['refuses a blank name', { name: '  ' }, BAD_NAME],
    ['refuses a name of 201 characters', { name: 'x'.repeat(201) }, BAD_NAME],
    [
      'refuses an id that is taken',
      { name: 'B', clientId: 'acme' },
      { code: 'conflict', message: 'There is a client acme already.' },
    ],
    [
      'refuses a key in use',
      { name: 'B', apiKey: SECRET },
      { code: 'conflict', message: 'This API key is in use already.' },
    ],
    ['refuses a key of 15 characters', { name: 'B', apiKey: 'x'.repeat(15) }, BAD_SECRET],
    ['refuses a key of 201 characters', { name: 'B', apiKey: 'x'.repeat(201) }, BAD_SECRET],
    ['refuses a key with a space at its start', { name: 'B', apiKey: ` ${SECRET}` }, BAD_SECRET],
    ['refuses a key with a space at its end', { name: 'B', apiKey: `${SECRET} ` }, BAD_SECRET],
    ['refuses a key with a character beyond ASCII', { name: 'B', apiKey: `${SECRET}ö` }, BAD_SECRET],
  ])('%s, and stores no key', async (_title, input, refusal) => {
    const { deps, keys } = open();
    await createClient(deps, { name: 'Acme', clientId: 'acme', apiKey: SECRET });
    await expect(createClient(deps, input)).rejects.toMatchObject(refusal);
    expect(keys).toHaveLength(1);
  });
});

describe('granting a key', () => {
  const CALLER: ApiKey = {
    keyId: 'key_caller',
    clientId: 'client',
    name: 'caller',
    hash: 'hash',
    permissions: ['keys:write', 'tags:read'],
    expiresAt: null,
    createdAt: NOW,
    lastUsedAt: null,
    revokedAt: null,
  };
  type Input = Parameters<typeof grantApiKey>[2];
  const INPUT: Input = { name: 'new', permissions: ['tags:read'], expiresAt: null };

  it.each<[string, Partial<ApiKey>, Partial<Input>, Partial<ApiKey>]>([
    ['gives permissions of its caller', {}, {}, { permissions: ['tags:read'], expiresAt: null }],
    ['gives each permission once', {}, { permissions: ['tags:read', 'tags:read'] }, { permissions: ['tags:read'] }],
    ['may end where its caller does not', {}, { expiresAt: SOON }, { expiresAt: SOON }],
    ['may end when its caller ends', { expiresAt: SOON }, { expiresAt: SOON }, { expiresAt: SOON }],
    ['may end before its caller ends', { expiresAt: LATE }, { expiresAt: SOON }, { expiresAt: SOON }],
  ])('%s', async (_title, caller, input, expected) => {
    const { deps, keys } = open();
    const { key, secret } = await grantApiKey(deps, { ...CALLER, ...caller }, { ...INPUT, ...input });
    expect(key).toMatchObject({ clientId: 'client', name: 'new', hash: hashApiKey(secret), ...expected });
    expect(keys).toEqual([key]);
  });

  const message = `must not be after ${SOON}, when the key that makes this one expires`;
  const outlives = {
    code: 'forbidden',
    message: `A key cannot create one that expires later: expiresAt ${message}.`,
    details: { issues: [{ field: 'expiresAt', message }] },
  };
  const past = {
    code: 'invalid_request',
    message: 'expiresAt lies in the past.',
    details: { issues: [{ field: 'expiresAt', message: 'must lie in the future' }] },
  };
  it.each<[string, Partial<ApiKey>, Partial<Input>, object]>([
    [
      'names each permission that its caller lacks',
      {},
      { permissions: ['tags:read', 'tags:write', 'logs:read'] },
      { code: 'forbidden', message: 'A key cannot grant permissions that it lacks: tags:write, logs:read.' },
    ],
    [
      'never gives the permission of operators, not even by an operator',
      { permissions: ['operator', 'tags:read'] },
      { permissions: ['tags:read', 'operator'] },
      { code: 'forbidden', message: 'A key cannot grant permissions that it lacks: operator.' },
    ],
    ['may not outlive its caller', { expiresAt: SOON }, { expiresAt: LATE }, outlives],
    ['may not last for ever where its caller ends', { expiresAt: SOON }, {}, outlives],
    ['may not end now', {}, { expiresAt: NOW }, past],
  ])('%s', async (_title, caller, input, refusal) => {
    const { deps, keys } = open();
    await expect(grantApiKey(deps, { ...CALLER, ...caller }, { ...INPUT, ...input })).rejects.toMatchObject(refusal);
    expect(keys).toEqual([]);
  });

  it.each([
    ['makes the last key that a client may have', MAX_API_KEYS - 1, 'made'],
    ['makes no key beyond', MAX_API_KEYS, 'refused'],
  ])('%s', async (_title, count, end) => {
    const { deps } = open();
    const list = () => Promise.resolve(Array.from({ length: count }, () => CALLER));
    const grant = grantApiKey({ ...deps, apiKeys: { ...deps.apiKeys, list } }, CALLER, INPUT);
    const full = 'A client has at most 1000 API keys: revoke one that is not used.';
    if (end === 'made') expect((await grant).key.name).toBe('new');
    else await expect(grant).rejects.toMatchObject({ code: 'conflict', message: full });
  });
});
