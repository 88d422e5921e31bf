import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { authenticate } from '@busbar/domain/clients';
import { createRecordingLogger } from '@busbar/testing';
import { bootstrap, bootstrapOrFirstClient } from './bootstrap';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';

let directory: string;
let platform: StorePlatform;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bootstrap-'));
  platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
});
afterEach(async () => {
  await platform.stop();
  await rm(directory, { recursive: true });
});

const deps = () => ({ records: platform.records, clock: systemClock });
const settings = (clientId?: string, apiKey?: string) => ({
  bootstrapClientId: clientId,
  bootstrapApiKey: apiKey,
  bootstrapClientName: 'Acme',
});
const KEY = 'a-key-of-a-script-01';

async function ownerOf(key: string): Promise<string | undefined> {
  return (await authenticate({ apiKeys: platform.records.apiKeys, clock: systemClock }, key))?.clientId;
}

it('creates nothing without settings', async () => {
  expect(await bootstrap(deps(), settings())).toBeUndefined();
  expect(await platform.records.clients.list()).toEqual([]);
});

it('creates the configured client and key once, however many processes start', async () => {
  const starts = Array.from({ length: 5 }, () => bootstrap(deps(), settings('acme', KEY)));
  await Promise.all(starts);
  await bootstrap(deps(), settings('acme', KEY));
  expect(await platform.records.clients.list()).toMatchObject([{ clientId: 'acme', name: 'Acme' }]);
  expect(await platform.records.apiKeys.list('acme')).toHaveLength(1);
  expect(await ownerOf(KEY)).toBe('acme');
});

it('adds another value of the key beside the old one', async () => {
  await bootstrap(deps(), settings('acme', KEY));
  await bootstrap(deps(), settings('acme', 'another-key-of-a-script'));
  expect(await ownerOf(KEY)).toBe('acme');
  expect(await ownerOf('another-key-of-a-script')).toBe('acme');
});

it.each([
  ['acme', undefined, 'BOOTSTRAP_CLIENT_ID is set without BOOTSTRAP_API_KEY'],
  [undefined, KEY, 'BOOTSTRAP_API_KEY is set without BOOTSTRAP_CLIENT_ID'],
])('refuses one of the two settings alone (%s, %s)', async (clientId, key, sentence) => {
  await expect(bootstrap(deps(), settings(clientId, key))).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(sentence) as string,
  });
});

it('refuses a key of another client', async () => {
  await bootstrap(deps(), settings('acme', KEY));
  await expect(bootstrap(deps(), settings('other', KEY))).rejects.toThrow('belongs to another client');
});

it('refuses a revoked key', async () => {
  await bootstrap(deps(), settings('acme', KEY));
  const [key] = await platform.records.apiKeys.list('acme');
  await platform.records.apiKeys.revoke('acme', key?.keyId ?? '', new Date().toISOString());
  await expect(bootstrap(deps(), settings('acme', KEY))).rejects.toThrow('was revoked');
});

it('creates a client at the first start of the one-process mode and returns the key only then', async () => {
  const first = await bootstrapOrFirstClient(deps(), settings());
  expect(await ownerOf(first.apiKey ?? '')).toBe(first.clientId);
  expect(await bootstrapOrFirstClient(deps(), settings())).toEqual({ clientId: first.clientId, apiKey: undefined });
});

it('prefers the settings in the one-process mode', async () => {
  await bootstrapOrFirstClient(deps(), settings());
  expect(await bootstrapOrFirstClient(deps(), settings('acme', KEY))).toEqual({ clientId: 'acme', apiKey: KEY });
});
