import { AppError } from '@busbar/core';
import { createFakeClock } from '@busbar/testing';
import { hashApiKey, type ApiKey, type ApiKeyReader, type ApiKeyWriter } from './api-key';
import { authenticate } from './authenticate';

const SECRET = 'bb_0123456789abcdef';
const MINUTE_MS = 60_000;

function createKeys(over: Partial<ApiKey> = {}) {
  let key: ApiKey = {
    keyId: 'key_1',
    clientId: 'c_1',
    name: 'x',
    hash: hashApiKey(SECRET),
    permissions: [],
    expiresAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUsedAt: null,
    revokedAt: null,
    ...over,
  };
  const touches: string[] = [];
  const apiKeys: ApiKeyReader & ApiKeyWriter = {
    findByHash: (hash) => Promise.resolve(hash === key.hash ? key : undefined),
    find: (keyId) => Promise.resolve(keyId === key.keyId ? key : undefined),
    list: () => Promise.resolve([key]),
    insert: () => Promise.resolve('inserted'),
    revoke: () => Promise.resolve(true),
    touch(_key, at) {
      touches.push(at);
      key = { ...key, lastUsedAt: at };
      return Promise.resolve();
    },
  };
  return { apiKeys, touches };
}

describe('authenticate', () => {
  it('records the last use of a key once a minute, not with each request', async () => {
    const clock = createFakeClock();
    const { apiKeys, touches } = createKeys();
    for (let i = 0; i < 10; i += 1) await authenticate({ apiKeys, clock }, SECRET);
    expect(touches).toHaveLength(1);
    clock.advance(MINUTE_MS - 1);
    await authenticate({ apiKeys, clock }, SECRET);
    expect(touches).toHaveLength(1);
    clock.advance(1);
    await authenticate({ apiKeys, clock }, SECRET);
    expect(touches).toHaveLength(2);
  });

  it('accepts a key though the store cannot record its use', async () => {
    const { apiKeys } = createKeys();
    const full = { ...apiKeys, touch: () => Promise.reject(new AppError('unavailable', 'the disk is full')) };
    expect(await authenticate({ apiKeys: full, clock: createFakeClock() }, SECRET)).toMatchObject({ keyId: 'key_1' });
  });

  it.each<[string, Partial<ApiKey>, string | undefined]>([
    ['expired at this very moment', { expiresAt: '2026-01-01T00:00:00.000Z' }, undefined],
    ['revoked', { revokedAt: '2025-01-01T00:00:00.000Z' }, undefined],
    ["another client's", {}, 'c_2'],
  ])('rejects a key that is %s', async (_what, over, clientId) => {
    const { apiKeys, touches } = createKeys(over);
    const deps = { apiKeys, clock: createFakeClock() };
    expect(await authenticate(deps, SECRET, clientId)).toBeUndefined();
    expect(await authenticate(deps, `${SECRET}x`)).toBeUndefined();
    expect(touches).toEqual([]);
  });
});
