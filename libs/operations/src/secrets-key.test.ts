import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectorySecrets, secretsKeyFile, type DirectorySecrets } from './secrets-key';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-secrets-key-'));
  file = secretsKeyFile(directory);
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

async function loaded(configured?: string): Promise<DirectorySecrets> {
  const secrets = createDirectorySecrets(directory, configured);
  await secrets.load();
  return secrets;
}
const newKey = (): string => randomBytes(32).toString('base64');

it('makes a key that only its owner may read, and keeps it', async () => {
  const stored = (await loaded()).encrypt('whsec_x', 'wh_1');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file, 'utf8');
  expect((await loaded()).decrypt(stored, 'wh_1')).toBe('whsec_x');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('makes no key beside SECRETS_KEY', async () => {
  const key = newKey();
  const stored = (await loaded(key)).encrypt('whsec_x', 'wh_1');
  expect(() => statSync(file)).toThrow('ENOENT');
  expect((await loaded(key)).isCurrent(stored, 'wh_1')).toBe(true);
});

it('decrypts with the key of the file after SECRETS_KEY was set, and encrypts with SECRETS_KEY', async () => {
  const before = (await loaded()).encrypt('whsec_x', 'wh_1');
  const secrets = await loaded(newKey());
  expect([secrets.decrypt(before, 'wh_1'), secrets.isCurrent(before, 'wh_1')]).toEqual(['whsec_x', false]);
  expect(secrets.isCurrent(secrets.encrypt('whsec_x', 'wh_1'), 'wh_1')).toBe(true);
});

it.each([
  ['empty', ''],
  ['no key', 'not a key\n'],
])('replaces no file that is %s, and says what to do', async (_name, content) => {
  writeFileSync(file, content);
  await expect(loaded()).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: `${file} holds no key: restore the file, or move it away: then webhooks need new secrets.`,
  });
  expect(readFileSync(file, 'utf8')).toBe(content);
});

it('encrypts nothing before it was loaded', () => {
  expect(() => createDirectorySecrets(directory).encrypt('whsec_x', 'wh_1')).toThrow('was not loaded');
});
