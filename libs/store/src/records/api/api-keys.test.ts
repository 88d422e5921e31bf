import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createApiKey, type ApiKey } from '@busbar/domain/clients';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';

const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
const store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
const clock = createFakeClock();
const { apiKeys } = createRecords(store, clock);
const ofAnotherProcess = createRecords(store).apiKeys;
beforeAll(() => store.start());
afterAll(async () => {
  await store.stop();
  rmSync(directory, { recursive: true });
});

const AT = '2026-03-01T00:00:00.000Z';

async function createKey(): Promise<ApiKey> {
  const input = { clientId: 'c_1', name: 'x', permissions: [], expiresAt: null };
  return (await createApiKey({ apiKeys, clock: systemClock }, input)).key;
}

describe('touch', () => {
  it('records the use of an API key once for all requests that read the key before', async () => {
    const key = await createKey();
    const lastUsedAt = async () => (await ofAnotherProcess.findByHash(key.hash))?.lastUsedAt;
    await apiKeys.touch(key, AT);
    await apiKeys.touch(key, '2026-03-01T00:00:01.000Z');
    expect(await lastUsedAt()).toBe(AT);
  });

  it('is seen by the next request of the same process', async () => {
    const key = await createKey();
    const lastUsedAt = async () => (await apiKeys.findByHash(key.hash))?.lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await apiKeys.touch(key, AT);
    expect(await lastUsedAt()).toBe(AT);
    clock.advance(1_000);
    expect(await lastUsedAt()).toBe(AT);
  });
});

describe('a revoked API key', () => {
  const isRevoked = async ({ hash }: ApiKey) => (await apiKeys.findByHash(hash))?.revokedAt === AT;

  it('is known at once in the process that revoked it', async () => {
    const key = await createKey();
    expect(await isRevoked(key)).toBe(false);
    expect(await apiKeys.revoke('c_1', key.keyId, AT)).toBe(true);
    expect(await isRevoked(key)).toBe(true);
  });

  it('is known at once to requests that read it while it was revoked', async () => {
    const key = await createKey();
    await Promise.all([apiKeys.findByHash(key.hash), apiKeys.revoke('c_1', key.keyId, AT)]);
    expect(await isRevoked(key)).toBe(true);
  });

  it('is known within a second in any other process', async () => {
    const key = await createKey();
    expect(await isRevoked(key)).toBe(false);
    expect(await ofAnotherProcess.revoke('c_1', key.keyId, AT)).toBe(true);
    expect(await isRevoked(key)).toBe(false);
    clock.advance(999);
    expect(await isRevoked(key)).toBe(true);
  });
});
