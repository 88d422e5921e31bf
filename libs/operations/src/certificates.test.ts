import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@busbar/testing';
import { selfSignedPair } from './certificates';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'certificates-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

const DAY_MS = 24 * 60 * 60 * 1000;

it('makes a pair for localhost, the key for its owner alone', async () => {
  const clock = createFakeClock();
  const pair = await selfSignedPair(join(directory, 'data'), clock);
  const certificate = new X509Certificate(await readFile(pair.certFile));
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkPrivateKey(createPrivateKey(await readFile(pair.keyFile)))).toBe(true);
  expect(new Date(certificate.validTo).toISOString().slice(0, 10)).toBe('2036-01-01');
  expect((await stat(pair.keyFile)).mode & 0o777).toBe(0o600);
});

it('reuses a usable pair', async () => {
  const clock = createFakeClock();
  const first = await readFile((await selfSignedPair(directory, clock)).certFile, 'utf8');
  clock.advance(3600 * DAY_MS);
  const second = await readFile((await selfSignedPair(directory, clock)).certFile, 'utf8');
  expect(second).toBe(first);
});

const read = async (file: string) => new X509Certificate(await readFile(file));

it('makes a pair for more names and addresses with the key of the earlier one', async () => {
  const clock = createFakeClock();
  const first = await selfSignedPair(directory, clock);
  const key = await readFile(first.keyFile, 'utf8');
  const names = ['charger-hub.example', '192.168.1.20', '2001:db8::20'];
  const second = await selfSignedPair(directory, clock, names);
  expect(first.replaced).toBeUndefined();
  expect(second.replaced).toBe(
    'the earlier one lacked charger-hub.example, 192.168.1.20, 2001:db8::20; its key is kept',
  );
  const certificate = await read(second.certFile);
  expect(certificate.checkHost('charger-hub.example')).toBe('charger-hub.example');
  expect(certificate.checkIP('192.168.1.20')).toBe('192.168.1.20');
  expect(certificate.checkIP('2001:db8::20')).toBe('2001:db8::20');
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(await readFile(second.keyFile, 'utf8')).toBe(key);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  // Fewer names need no other certificate.
  expect((await selfSignedPair(directory, clock, ['192.168.1.20'])).replaced).toBeUndefined();
  expect((await read(second.certFile)).fingerprint256).toBe(certificate.fingerprint256);
});

it('replaces a key that cannot be reused with the certificate', async () => {
  const clock = createFakeClock();
  const pair = await selfSignedPair(directory, clock);
  await writeFile(pair.keyFile, 'no key');
  expect((await selfSignedPair(directory, clock, ['a.example'])).replaced).toContain('unreadable');
  const certificate = await read(pair.certFile);
  expect(certificate.checkPrivateKey(createPrivateKey(await readFile(pair.keyFile)))).toBe(true);
});

it.each(['about to expire', 'broken', 'without its key'])('makes a pair anew that is %s', async (flaw) => {
  const clock = createFakeClock();
  const pair = await selfSignedPair(directory, clock);
  const first = await readFile(pair.certFile, 'utf8');
  if (flaw === 'broken') await writeFile(pair.certFile, 'no certificate');
  else if (flaw === 'without its key') await rm(pair.keyFile);
  else clock.advance(3650 * DAY_MS);
  await selfSignedPair(directory, clock);
  const certificate = new X509Certificate(await readFile(pair.certFile));
  expect(certificate.toString()).not.toBe(first);
  expect(certificate.checkPrivateKey(createPrivateKey(await readFile(pair.keyFile)))).toBe(true);
});

it('refuses a directory that cannot be written in one sentence', async () => {
  await writeFile(join(directory, 'file'), '');
  await expect(selfSignedPair(join(directory, 'file'), createFakeClock())).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('make the data directory writable') as string,
  });
});
