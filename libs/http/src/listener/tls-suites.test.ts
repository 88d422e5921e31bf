// Which certificate and which suites a server with the files presents, by real handshakes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type ConnectionOptions, type Server } from 'node:tls';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { generate } from 'selfsigned';
import { certificateEnd, readTlsFiles, watchTlsFiles, type TlsFiles } from './tls-files';

const LOOK_MS = 5_000;
const RSA_END = new Date('2041-01-01T00:00:00Z');
const EC_END = new Date('2031-01-01T00:00:00Z');
const TLS_1_2 = { maxVersion: 'TLSv1.2' } as const;

let directory: string;
let files: TlsFiles & Required<Pick<TlsFiles, 'otherPairs'>>;
const servers: Server[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-suites-'));
  const ec = { keyType: 'ec', notAfterDate: EC_END } as const;
  const made = await Promise.all([
    write('rsa', { keySize: 2048, notAfterDate: RSA_END }),
    write('ec', ec),
    write('other', { keyType: 'ec', curve: 'P-384' }),
  ]);
  files = { ...made[0], otherPairs: [made[1]] };
});
afterEach(() => servers.splice(0).forEach((server) => server.close()));
afterAll(() => rmSync(directory, { recursive: true }));

const fileOf = (name: string): string => join(directory, `${name}.pem`);
const pairOf = (name: string) => ({ certFile: fileOf(name), keyFile: fileOf(`${name}-key`) });

async function write(name: string, options: Parameters<typeof generate>[1], commonName = name) {
  const made = await generate([{ name: 'commonName', value: commonName }], options);
  const pair = pairOf(name);
  writeFileSync(pair.certFile, made.cert);
  writeFileSync(pair.keyFile, made.private);
  return pair;
}

async function serve(served: TlsFiles): Promise<Server> {
  const server = createServer(readTlsFiles(served), (socket) => socket.end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The name of the certificate that the server presents, and the suite; the error where there is no handshake. */
function handshake(server: Server, options: ConnectionOptions): Promise<readonly [string, string] | string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  return new Promise((resolve) => {
    socket.once('error', (error: Error) => resolve(error.message));
    socket.once('secureConnect', () => {
      resolve([String(socket.getPeerCertificate().subject.CN), socket.getCipher().name]);
      socket.destroy();
    });
  });
}

it.each([
  ['ECDHE-RSA-AES128-GCM-SHA256', 'rsa'],
  ['ECDHE-RSA-AES256-GCM-SHA384', 'rsa'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ec'],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ec'],
])('serves a client of TLS 1.2 that has %s alone with the certificate for it', async (ciphers, name) => {
  expect(await handshake(await serve(files), { ...TLS_1_2, ciphers })).toEqual([name, ciphers]);
});

it.each([
  ['rsa_pss_rsae_sha256', 'rsa'],
  ['ecdsa_secp256r1_sha256', 'ec'],
])('serves a client of TLS 1.3 that verifies %s alone with the certificate for it', async (sigalgs, name) => {
  const found = await handshake(await serve(files), { minVersion: 'TLSv1.3', sigalgs });
  expect(found).toEqual([name, expect.stringMatching(/^TLS_AES_\d+_GCM/)]);
});

it.each(['AES128-GCM-SHA256', 'AES256-GCM-SHA384'])('serves %s, without ECDHE, only by the switch', async (ciphers) => {
  const client = { ...TLS_1_2, ciphers };
  expect(await handshake(await serve(files), client)).toMatch(/handshake failure/);
  const server = await serve({ ...files, rsaKeyExchange: true });
  expect(await handshake(server, client)).toEqual(['rsa', ciphers]);
  // Ahead in the client's order, and still the last choice.
  const both = await handshake(server, { ...TLS_1_2, ciphers: `${ciphers}:ECDHE-RSA-AES128-GCM-SHA256` });
  expect(both).toEqual(['rsa', 'ECDHE-RSA-AES128-GCM-SHA256']);
  expect(await handshake(server, { ...TLS_1_2, ciphers: 'AES128-SHA' })).toMatch(/handshake failure/);
});

it('presents a changed certificate of the second pair, and the first one as before', async () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const watched = { ...files, otherPairs: [await write('changing', { keyType: 'ec' })] };
  const server = await serve(watched);
  const watch = watchTlsFiles({
    files: watched,
    current: readTlsFiles(watched),
    clock,
    logger,
    onChange: (context) => server.setSecureContext(context),
  });
  clock.advance(LOOK_MS);
  await write('changing', { keyType: 'ec' }, 'changed');
  clock.advance(LOOK_MS);
  watch.cancel();
  const ciphers = 'ECDHE-ECDSA-AES128-GCM-SHA256';
  expect(await handshake(server, { ...TLS_1_2, ciphers })).toEqual(['changed', ciphers]);
  expect(await handshake(server, { ...TLS_1_2, ciphers: 'AES128-GCM-SHA256' })).toMatch(/handshake failure/);
  const rsa = 'ECDHE-RSA-AES128-GCM-SHA256';
  expect(await handshake(server, { ...TLS_1_2, ciphers: rsa })).toEqual(['rsa', rsa]);
  expect(logger.lines.map(({ level }) => level)).toEqual(['info']);
});

it('has the end of the certificate that ends first', () => {
  expect(certificateEnd(readTlsFiles(pairOf('rsa')))).toEqual(RSA_END);
  expect(certificateEnd(readTlsFiles(files))).toEqual(EC_END);
});

it('refuses a second certificate whose key has the type of another, since one alone would be presented', () => {
  const sentence = `TLS_CERT_FILE names ${fileOf('ec')} and ${fileOf('other')}, whose keys are both of the type ec: remove one of them and its key.`;
  expect(() => readTlsFiles({ ...files, otherPairs: [pairOf('ec'), pairOf('other')] })).toThrow(sentence);
});

it('names the second key where it belongs to another certificate', () => {
  const wrong = { certFile: fileOf('ec'), keyFile: fileOf('other-key') };
  expect(() => readTlsFiles({ ...files, otherPairs: [wrong] })).toThrow(
    `TLS_KEY_FILE names ${wrong.keyFile}, which does not belong to the certificate in ${wrong.certFile}`,
  );
});
