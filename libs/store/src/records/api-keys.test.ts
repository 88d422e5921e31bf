import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createApiKey } from '@busbar/domain/clients';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { createRecords } from './create-records';

describe('touch', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  const store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
  const { apiKeys } = createRecords(store);
  beforeAll(() => store.start());
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  it('records the use of an API key once for all requests that read the key before', async () => {
    const input = { clientId: 'c_1', name: 'x', permissions: [], expiresAt: null };
    const { key } = await createApiKey({ apiKeys, clock: systemClock }, input);
    const lastUsedAt = async () => (await apiKeys.findByHash(key.hash))?.lastUsedAt;
    await apiKeys.touch(key, '2026-03-01T00:00:00.000Z');
    await apiKeys.touch(key, '2026-03-01T00:00:01.000Z');
    expect(await lastUsedAt()).toBe('2026-03-01T00:00:00.000Z');
    await apiKeys.touch({ ...key, lastUsedAt: '2026-03-01T00:00:00.000Z' }, '2026-03-01T00:01:00.000Z');
    expect(await lastUsedAt()).toBe('2026-03-01T00:01:00.000Z');
  });
});
