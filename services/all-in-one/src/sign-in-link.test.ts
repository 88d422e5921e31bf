import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKey } from '@busbar/domain/clients';
import { hashToken, type SignInCode } from '@busbar/domain/console';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { signInLink } from './sign-in-link';

const KEY: ApiKey = {
  keyId: 'key_1',
  clientId: 'c_1',
  name: 'x',
  hash: 'h',
  permissions: ['chargers:read'],
  expiresAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busbar-link-'));
});
afterEach(() => rm(directory, { recursive: true }));

function open(keys: readonly ApiKey[] = [KEY]) {
  const stored: SignInCode[] = [];
  const logger = createRecordingLogger();
  const deps = {
    apiKeys: { list: () => Promise.resolve([...keys]) },
    signInCodes: {
      insert: (code: SignInCode) => Promise.resolve(void stored.push(code)),
      take: () => Promise.resolve(undefined),
    },
    clock: createFakeClock(),
    logger,
  };
  const link = (isTerminal: boolean, part: Partial<typeof deps> = {}) =>
    signInLink({ ...deps, ...part }, 'c_1', { http: 'https://h:1', directory, isTerminal });
  return { link, stored, logger, deps };
}

it('is shown on a terminal, and only its hash is stored', async () => {
  const { link, stored, logger } = open();
  const shown = await link(true);
  const code = shown.kind === 'link' ? shown.code : '';
  expect(stored).toMatchObject([{ hash: hashToken(code), keyId: 'key_1' }]);
  expect(JSON.stringify(logger.lines)).not.toContain(code);
});

it('is in an owner-only file without a terminal', async () => {
  const { link, stored } = open();
  const file = join(directory, 'console-link');
  expect(await link(false)).toEqual({ kind: 'file', file, minutes: 10 });
  const [, code = ''] = /^https:\/\/h:1\/console\/#code=([\w-]{43})\n$/.exec(await readFile(file, 'utf8')) ?? [];
  expect(stored[0]?.hash).toBe(hashToken(code));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('is not made without a valid key, nor where the store fails', async () => {
  expect(await open([]).link(true)).toEqual({ kind: 'address' });
  const { link, deps, logger } = open();
  const insert = () => Promise.reject(new Error('full'));
  expect(await link(true, { signInCodes: { ...deps.signInCodes, insert } })).toEqual({ kind: 'address' });
  expect(logger.lines).toMatchObject([{ level: 'warn' }]);
});
