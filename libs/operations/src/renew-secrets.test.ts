import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { newWebhook } from '@busbar/domain/testing';
import { createStorePlatform, createStoredSecrets, type StorePlatform } from '@busbar/runtime';
import { createRecordingLogger } from '@busbar/testing';
import { renewStoredSecrets } from './renew-secrets';

const newKey = (): string => randomBytes(32).toString('base64');
const [older, newer] = [newKey(), newKey()];
let logger: ReturnType<typeof createRecordingLogger>;
let directory: string;
let platform: StorePlatform;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-renew-'));
  platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  logger = createRecordingLogger();
});
afterEach(async () => {
  await platform.stop();
  rmSync(directory, { recursive: true });
});

async function insert(count: number): Promise<void> {
  const secrets = createStoredSecrets(older);
  for (let n = 0; n < count; n += 1) {
    const webhookId = `wh_${String(n).padStart(4, '0')}`;
    const encrypted = secrets.encrypt(`whsec_${webhookId}`, webhookId);
    const authorization = secrets.encrypt('Bearer x', webhookId);
    const owned = { webhookId, clientId: `c${String(n)}`, authorization, revision: 7 };
    await platform.records.webhooks.insert(newWebhook({ ...owned, secrets: [{ encrypted, endsAt: null }] }));
  }
}
const renew = (keys: string) => renewStoredSecrets({ ...platform.records, secrets: createStoredSecrets(keys), logger });
const messages = () => logger.lines.map(({ level, fields }) => [level, fields]);

it('encrypts the secrets of all webhooks with the first key, and leaves their versions', async () => {
  await insert(101);
  await renew(`${newer},${older}`);
  expect(messages()).toEqual([['info', { renewed: 101 }]]);
  const alone = createStoredSecrets(newer);
  const all = await platform.records.webhooks.listAfter(undefined, 200);
  for (const { webhookId, secrets, authorization, revision } of all) {
    expect(alone.decrypt(secrets[0]?.encrypted ?? '', webhookId)).toBe(`whsec_${webhookId}`);
    expect([alone.decrypt(authorization ?? '', webhookId), revision]).toEqual(['Bearer x', 7]);
  }
  await renew(newer);
  expect(messages()).toHaveLength(1);
});

it('encrypts the secret of an endpoint for real-time authorization too', async () => {
  const { authorizationEndpoints } = platform.records;
  await authorizationEndpoints.insert({
    clientId: 'c',
    endpointId: 'rta_1',
    url: 'https://tags.example.com/',
    format: 'standard',
    timeoutS: 3,
    onFailure: 'refuse',
    cacheS: 60,
    siteIds: null,
    enabled: true,
    secret: createStoredSecrets(older).encrypt('whsec_x', 'rta_1'),
    authorization: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    revision: 3,
    status: { lastAskedAt: null, failures: 0, brokenUntil: null, lastError: null },
  });
  await renew(`${newer},${older}`);
  const endpoint = await authorizationEndpoints.find('c');
  expect(createStoredSecrets(newer).decrypt(endpoint?.secret ?? '', 'rta_1')).toBe('whsec_x');
  expect(endpoint?.revision).toBe(3);
});

it('leaves what it cannot decrypt, and says how many there are', async () => {
  await insert(2);
  const before = await platform.records.webhooks.listAfter(undefined, 10);
  await renew(newer);
  expect(await platform.records.webhooks.listAfter(undefined, 10)).toEqual(before);
  expect(messages()).toEqual([['error', { undecryptable: 2 }]]);
});

it('does not keep a start from succeeding', async () => {
  const webhooks = { ...platform.records.webhooks, listAfter: () => Promise.reject(new Error('unavailable')) };
  await renewStoredSecrets({ ...platform.records, webhooks, secrets: createStoredSecrets(newer), logger });
  expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
});
