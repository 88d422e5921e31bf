import { createFakeClock } from '@busbar/testing';
import { hashApiKey, OPERATOR, type ApiKey } from '../clients/api-key';
import { hashToken, type ConsoleSession, type SignInCode } from './console-session';
import { createSignInCode, keyForLink, signInWithCode, signInWithKey } from './sign-in';

const SECRET = 'bb_0123456789abcdef';
const NOW = '2026-01-01T00:00:00.000Z';

const KEY: ApiKey = {
  keyId: 'key_1',
  clientId: 'c_1',
  name: 'x',
  hash: hashApiKey(SECRET),
  permissions: ['chargers:read'],
  expiresAt: null,
  createdAt: NOW,
  lastUsedAt: NOW,
  revokedAt: null,
};

function open(...keys: readonly ApiKey[]) {
  const sessions: ConsoleSession[] = [];
  const codes = new Map<string, SignInCode>();
  const find = (is: (key: ApiKey) => boolean) => Promise.resolve(keys.find(is));
  const deps = {
    clock: createFakeClock(new Date(NOW)),
    apiKeys: {
      findByHash: (hash: string) => find((key) => key.hash === hash),
      find: (keyId: string) => find((key) => key.keyId === keyId),
      list: (clientId: string) => Promise.resolve(keys.filter((key) => key.clientId === clientId)),
      insert: () => Promise.resolve('inserted' as const),
      revoke: () => Promise.resolve(true),
      touch: () => Promise.resolve(),
    },
    consoleSessions: { insert: (session: ConsoleSession) => Promise.resolve(void sessions.push(session)) },
    signInCodes: {
      insert: (code: SignInCode) => Promise.resolve(void codes.set(code.hash, code)),
      take(hash: string) {
        const code = codes.get(hash);
        codes.delete(hash);
        return Promise.resolve(code);
      },
    },
  };
  return { deps, sessions, codes };
}

describe('signing in with a key', () => {
  it('begins a session of twelve hours, of whose token only the hash is stored', async () => {
    const { deps, sessions } = open(KEY);
    const signedIn = await signInWithKey(deps, { clientId: 'c_1', apiKey: SECRET });
    expect(signedIn?.token).toMatch(/^[\w-]{43}$/);
    const hash = hashToken(signedIn?.token ?? '');
    const times = { createdAt: NOW, lastUsedAt: NOW, expiresAt: '2026-01-01T12:00:00.000Z' };
    expect(sessions).toEqual([{ hash, keyId: 'key_1', ...times }]);
    expect(JSON.stringify(sessions)).not.toContain(signedIn?.token);
  });

  it.each<[string, Partial<ApiKey>, string]>([
    ['unknown', { hash: 'another' }, 'c_1'],
    ['expired', { expiresAt: NOW }, 'c_1'],
    ['revoked', { revokedAt: NOW }, 'c_1'],
    ["another client's", {}, 'c_2'],
  ])('begins none with a key that is %s', async (_what, over, clientId) => {
    const { deps, sessions } = open({ ...KEY, ...over });
    expect(await signInWithKey(deps, { clientId, apiKey: SECRET })).toBeUndefined();
    expect(sessions).toEqual([]);
  });
});

describe('signing in with a code', () => {
  it('succeeds once, within ten minutes', async () => {
    const { deps, sessions, codes } = open(KEY);
    const code = await createSignInCode(deps, 'key_1');
    expect(JSON.stringify([...codes])).not.toContain(code);
    deps.clock.advance(10 * 60_000 - 1);
    expect(await signInWithCode(deps, code)).toMatchObject({ key: { keyId: 'key_1' } });
    expect(await signInWithCode(deps, code)).toBeUndefined();
    expect(sessions).toHaveLength(1);
  });

  it('fails after ten minutes, with another code, and for a key that was revoked meanwhile', async () => {
    const { deps } = open({ ...KEY, revokedAt: NOW }, { ...KEY, keyId: 'key_2' });
    expect(await signInWithCode(deps, await createSignInCode(deps, 'key_1'))).toBeUndefined();
    expect(await signInWithCode(deps, 'another')).toBeUndefined();
    const late = await createSignInCode(deps, 'key_2');
    deps.clock.advance(10 * 60_000);
    expect(await signInWithCode(deps, late)).toBeUndefined();
  });
});

describe('the key of a sign-in link', () => {
  const keyOf = (keyId: string, over: Partial<ApiKey> = {}): ApiKey => ({ ...KEY, keyId, ...over });
  const two = { permissions: ['chargers:read', 'sites:read'] } as const;

  it.each<[string, readonly ApiKey[], string | undefined]>([
    ['is the oldest of those with the most permissions', [keyOf('a'), keyOf('b', two), keyOf('c', two)], 'b'],
    [
      'is none that was revoked or has expired',
      [keyOf('a', { revokedAt: NOW }), keyOf('b', { expiresAt: NOW })],
      undefined,
    ],
    ["is no operator's", [keyOf('a', { permissions: ['chargers:read', OPERATOR] }), keyOf('b')], 'b'],
    ["is none of another client's", [keyOf('a', { clientId: 'c_2' })], undefined],
  ])('%s', async (_title, keys, expected) => {
    expect((await keyForLink(open(...keys).deps, 'c_1'))?.keyId).toBe(expected);
  });
});
