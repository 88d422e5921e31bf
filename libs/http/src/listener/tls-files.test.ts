import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { generate } from 'selfsigned';
import { certificateEnd, parseOnChange, readTlsFiles, watchTlsFiles } from './tls-files';

const LOOK_MS = 5_000;

it('parses a text only when it has changed, also one that fails', () => {
  const parsed: string[] = [];
  let text = 'good';
  const read = parseOnChange(
    () => text,
    () => {
      parsed.push(text);
      if (text === 'bad') throw new Error('cannot be read');
      return { text };
    },
  );
  const first = read();
  expect(read()).toBe(first);
  text = 'bad';
  for (let n = 0; n < 3; n += 1) expect(read).toThrow('cannot be read');
  text = 'better';
  expect([read(), read()]).toEqual([{ text: 'better' }, { text: 'better' }]);
  expect(parsed).toEqual(['good', 'bad', 'better']);
});

it.each([
  ['a certificate', ['2031-01-01T00:00:00Z'], '2031-01-01T00:00:00Z'],
  ['a chain whose authority ends first', ['2031-01-01T00:00:00Z', '2030-06-01T00:00:00Z'], '2030-06-01T00:00:00Z'],
])('reads the end of %s', async (_what, ends, expected) => {
  const made = ends.map((end) => generate(undefined, { keyType: 'ec', notAfterDate: new Date(end) }));
  const cert = (await Promise.all(made)).map((pair) => pair.cert).join('\n');
  expect(certificateEnd({ cert })).toEqual(new Date(expected));
});

describe('certificate files', () => {
  let directory: string;
  let pairs: { cert: string; private: string }[];
  let files: { certFile: string; keyFile: string };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-tls-'));
    pairs = [await generate(undefined, { keyType: 'ec' }), await generate(undefined, { keyType: 'ec' })];
    files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const write = (cert = 0, key = cert): void => {
    writeFileSync(files.certFile, pairs[cert]?.cert ?? '');
    writeFileSync(files.keyFile, pairs[key]?.private ?? '');
  };

  it.each([
    ['certFile', 'TLS_CERT_FILE'],
    ['keyFile', 'TLS_KEY_FILE'],
    ['clientCaFile', 'TLS_CLIENT_CA_FILE'],
  ])('names the file and the variable when %s cannot be read', (field, variable) => {
    write();
    const missing = join(directory, 'missing.pem');
    expect(() => readTlsFiles({ ...files, [field]: missing })).toThrow(
      `${variable} names ${missing}, which cannot be read (ENOENT): correct the path or its rights.`,
    );
  });

  it.each([
    ['certFile', 'TLS_CERT_FILE'],
    ['keyFile', 'TLS_KEY_FILE'],
    ['clientCaFile', 'TLS_CLIENT_CA_FILE'],
  ])('names the file and the variable when %s holds something else', (field, variable) => {
    write();
    const wrong = join(directory, 'wrong.pem');
    writeFileSync(wrong, 'not a certificate');
    expect(() => readTlsFiles({ ...files, [field]: wrong })).toThrow(
      new RegExp(`^${variable} names ${wrong}, which holds no `),
    );
  });

  it('rejects a key of another certificate', () => {
    write(0, 1);
    expect(() => readTlsFiles(files)).toThrow(/^TLS_KEY_FILE names .* does not belong to the certificate in /);
  });

  it('reports a new valid pair, and nothing without one', () => {
    write(0);
    const clock = createFakeClock();
    const logger = createRecordingLogger();
    const changes: SecureContextOptions[] = [];
    const watch = watchTlsFiles({
      files,
      current: readTlsFiles(files),
      clock,
      logger,
      onChange: (context) => changes.push(context),
    });
    clock.advance(2 * LOOK_MS);
    expect(changes).toHaveLength(0);

    // The certificate is there, its key not yet.
    write(1, 0);
    clock.advance(LOOK_MS);
    expect([changes.length, logger.lines.length]).toEqual([0, 0]);
    clock.advance(10 * LOOK_MS);
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);

    write(1, 1);
    clock.advance(LOOK_MS);
    expect(changes.flatMap(({ cert }) => cert)).toEqual([pairs[1]?.cert]);

    // An unchanged file is not parsed again; the earlier pair counts as another change.
    clock.advance(2 * LOOK_MS);
    expect(changes).toHaveLength(1);
    write(0);
    clock.advance(LOOK_MS);
    expect(changes.flatMap(({ cert }) => cert)).toEqual([pairs[1]?.cert, pairs[0]?.cert]);

    watch.cancel();
    write(1);
    clock.advance(LOOK_MS);
    expect(changes).toHaveLength(2);
  });
});
