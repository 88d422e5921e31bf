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

test('a pair for localhost is made, the key for its owner alone', async () => {
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

test('a usable pair is reused', async () => {
  const clock = createFakeClock();
  const first = await readFile((await selfSignedPair(directory, clock)).certFile, 'utf8');
  clock.advance(3600 * DAY_MS);
  const second = await readFile((await selfSignedPair(directory, clock)).certFile, 'utf8');
  expect(second).toBe(first);
});

test.each(['about to expire', 'broken', 'without its key'])('a pair that is %s is made anew', async (flaw) => {
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

test('a directory that cannot be written is refused in one sentence', async () => {
  await writeFile(join(directory, 'file'), '');
  await expect(selfSignedPair(join(directory, 'file'), createFakeClock())).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('make the data directory writable') as string,
  });
});
