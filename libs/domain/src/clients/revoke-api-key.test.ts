import { createFakeClock } from '@busbar/testing';
import type { ApiKeyWriter } from './api-key';
import { revokeApiKey } from './revoke-api-key';

const NOW = '2026-02-01T00:00:00.000Z';
const EARLIER = '2026-01-01T00:00:00.000Z';
const UNKNOWN = { code: 'not_found', message: 'There is no such API key.' };

/** The client `client` has two keys, the second of which was revoked before. */
function open() {
  const revokedAt = new Map<string, string | null>([
    ['client/key', null],
    ['client/revoked', EARLIER],
  ]);
  const unused = () => Promise.reject(new Error('not for this use case'));
  const apiKeys: ApiKeyWriter = {
    insert: unused,
    touch: unused,
    revoke: (clientId, keyId, at) => {
      const id = `${clientId}/${keyId}`;
      const isUsable = revokedAt.get(id) === null;
      if (isUsable) revokedAt.set(id, at);
      return Promise.resolve(isUsable);
    },
  };
  return { revokedAt, deps: { apiKeys, clock: createFakeClock(new Date(NOW)) } };
}

describe('revoking a key', () => {
  it('revokes it now, and no other', async () => {
    const { deps, revokedAt } = open();
    await revokeApiKey(deps, { clientId: 'client', keyId: 'key' });
    expect(Object.fromEntries(revokedAt)).toEqual({ 'client/key': NOW, 'client/revoked': EARLIER });
  });

  it.each([
    ['an unknown key', { clientId: 'client', keyId: 'unknown' }],
    ['the key of another client', { clientId: 'other', keyId: 'key' }],
    ['a key that is revoked already', { clientId: 'client', keyId: 'revoked' }],
  ])('does not find %s, and revokes nothing', async (_title, owner) => {
    const { deps, revokedAt } = open();
    await expect(revokeApiKey(deps, owner)).rejects.toMatchObject(UNKNOWN);
    expect([...revokedAt.values()]).toEqual([null, EARLIER]);
  });
});
