import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from './api';
import { tlsFor } from './service-tls';

const PEM = '-----BEGIN CERTIFICATE-----\n';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simulate-tls-'));
  await writeFile(join(directory, 'ca.pem'), PEM);
  await writeFile(join(directory, 'key.der'), 'binary');
});
afterAll(() => rm(directory, { recursive: true }));

it.each([
  ['wss://csms.example/ocpp/', {}, { rejectUnauthorized: true }],
  ['wss://csms.example/ocpp/', { isInsecure: true }, { rejectUnauthorized: false }],
  ['wss://localhost:8443/ocpp/', {}, { rejectUnauthorized: false }],
  ['wss://127.0.0.1:8443/ocpp/', {}, { rejectUnauthorized: false }],
  ['wss://[::1]:8443/ocpp/', {}, { rejectUnauthorized: false }],
  ['wss://127.example/ocpp/', {}, { rejectUnauthorized: true }],
  ['wss://localhost:8443/ocpp/', { file: 'ca.pem' }, { ca: PEM, rejectUnauthorized: true }],
])(
  'chooses the authorities for %s with %j',
  (url, { file, isInsecure = false }: { file?: string; isInsecure?: boolean }, tls) => {
    const caFile = file === undefined ? undefined : join(directory, file);
    expect(tlsFor(new URL(url), { caFile, isInsecure })).toEqual(tls);
  },
);

it.each([
  ['missing.pem', 'missing.pem cannot be read: ENOENT'],
  ['key.der', 'key.der is no certificate in PEM.'],
])('refuses the authority %s in a sentence', (file, sentence) => {
  const options = { caFile: join(directory, file), isInsecure: false };
  expect(() => tlsFor(new URL('wss://host/'), options)).toThrow(sentence);
});

it('refuses an API that cannot be reached with the reason', async () => {
  const call = createApi({ origin: 'https://127.0.0.1:1', key: 'k', tls: { rejectUnauthorized: true } });
  await expect(call('GET', '/sites')).rejects.toThrow(
    'The API at https://127.0.0.1:1 cannot be reached: connection refused',
  );
});
