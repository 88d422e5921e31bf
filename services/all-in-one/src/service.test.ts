// The one-process mode as a whole, within the test's process: first and later starts, and the restore of a backup.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Service } from '@busbar/core';
import { createMetrics, readBuildInfo, readSettings } from '@busbar/runtime';
import { askRunningProcess, selfSignedPair } from '@busbar/operations';
import { ask, connectCharger, createRecordingLogger, eventually, FREE_PORTS } from '@busbar/testing';
import { allInOneChecks, allInOneSettings } from './config';
import { createAllInOne } from './service';

let directory: string;
let running: Service[];
beforeEach(async () => {
  running = [];
  directory = await mkdtemp(join(tmpdir(), 'all-in-one-'));
});
afterEach(async () => {
  for (const service of running) await service.stop();
  await rm(directory, { recursive: true });
});

interface Started {
  readonly service: Service;
  readonly text: string;
  readonly http: string;
  readonly ocpp: string;
  readonly plain: string;
  readonly key: string;
}

async function start(env: Record<string, string> = {}, isTerminal = true): Promise<Started> {
  const lines: string[] = [];
  const settings = readSettings(allInOneSettings, {
    ...FREE_PORTS,
    STORE_URL: `file:${directory}`,
    ...env,
  });
  const context = {
    settings,
    logger: createRecordingLogger(),
    clock: systemClock,
    metrics: createMetrics(),
    build: readBuildInfo(),
    stopping: () => false,
  };
  const service = await createAllInOne(context, { print: (line) => lines.push(line), isTerminal });
  running.push(service);
  await service.start();
  const text = lines.join('\n');
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  return {
    service,
    text,
    http: find(/Address +(\S+)/),
    ocpp: find(/(wss:\S+\/ocpp\/)/),
    plain: find(/(ws:\S+\/ocpp\/)/),
    key: find(/API key +(\S+)/),
  };
}

function call(
  url: string,
  key: string,
  body?: unknown,
  more: OutgoingHttpHeaders = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(url, { method, headers, rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as Record<string, unknown> });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function registerCharger({ http, key }: Started, chargerId: string): Promise<void> {
  expect((await call(`${http}/v2/sites`, key, { name: 'Here' })).status).toBe(200);
  expect((await call(`${http}/v2/chargers`, key, { name: 'One', chargerId })).status).toBe(200);
}

it('creates no key at a first start that fails, so that the next one can show it', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(start({ PORT: String(port) })).rejects.toThrow('is taken');
  await running.pop()?.stop();
  await new Promise((resolve) => taken.close(resolve));
  const { http, key } = await start();
  expect((await call(`${http}/v2/sites`, key)).status).toBe(200);
});

it('prints a valid key at the first start, and later the client id and how to create another', async () => {
  const first = await start();
  await registerCharger(first, 'ACME_1');
  await first.service.stop();
  const later = await start();
  expect(later.text).toContain(/Client id +(\S+)/.exec(first.text)?.[0]);
  expect(later.text).toContain('npm run admin -- key create');
  expect(later.text).not.toContain(first.key);
  expect((await call(`${later.http}/v2/chargers/ACME_1`, first.key)).json).toMatchObject({ chargerId: 'ACME_1' });
});

it.each(['BOOTSTRAP_API_KEY', 'BOOTSTRAP_API_KEY_FILE'])(
  'accepts a key in %s, and never prints it',
  async (variable) => {
    const key = 'a-key-of-a-script-01';
    const file = join(directory, 'given');
    await writeFile(file, `${key}\n`);
    const env = { BOOTSTRAP_CLIENT_ID: 'acme', [variable]: variable.endsWith('_FILE') ? file : key };
    const first = await start(env);
    await registerCharger({ ...first, key }, 'ACME_1');
    await first.service.stop();
    const later = await start(env);
    for (const { text } of [first, later]) {
      expect(text).toMatch(/Client id +acme\n/);
      expect(text).toMatch(/API key +the value of BOOTSTRAP_API_KEY\n/);
      expect(text).not.toContain(key);
    }
  },
);

it('stores the new key in a file of its owner without a terminal, and prints the path alone', async () => {
  const world = await start({}, false);
  const file = join(directory, 'api-key');
  expect(world.text).toContain(`API key          in ${file} `);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = (await readFile(file, 'utf8')).trim();
  expect(key).toMatch(/^bb_/);
  expect(world.text).not.toContain(key);
  await registerCharger({ ...world, key }, 'ACME_1');
});

it('does not print a key that cannot be stored in its file, and shows how to create another', async () => {
  await mkdir(join(directory, 'api-key'));
  const { text } = await start({}, false);
  expect(text).toContain('npm run admin -- key create');
  expect(text).not.toContain('bb_');
});

it('serves chargers at both websocket addresses, and shows them in the record', async () => {
  const world = await start();
  await registerCharger(world, 'ACME_1');
  const isActive = async () => (await call(`${world.http}/v2/chargers/ACME_1`, world.key)).json['activeConnection'];
  for (const address of [world.ocpp, world.plain]) {
    const charger = await connectCharger({ url: `${address}ACME_1` });
    expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
    await eventually(async () => (await isActive()) === true);
    await charger.close();
    await eventually(async () => (await isActive()) === false);
  }
});

it.each(['h2c', 'TLS/1.2', 'websocket'])(
  'serves a request that offers an upgrade to %s as plain HTTP/1.1',
  async (upgrade) => {
    const world = await start();
    const headers = { connection: 'Upgrade', upgrade };
    const made = await call(`${world.http}/v2/sites`, world.key, { name: 'Here' }, headers);
    expect(made).toMatchObject({ status: 200, json: { name: 'Here' } });
    const read = await call(`${world.http}/v2/sites`, world.key, undefined, headers);
    expect(read).toMatchObject({ status: 200, json: { totalRecords: 1 } });
    const legacy = await call(`${world.http}/api/group`, '', undefined, headers);
    expect(legacy).toMatchObject({ status: 401, json: { errorCode: 'unauthenticated' } });
    const plain = world.plain.replace(/^ws(.*)ocpp\/$/, 'http$1v2/sites');
    const refused = await ask(plain, { headers: { ...headers, upgrade: 'h2c' } });
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'https_required' });
  },
);

it('closes sockets with 1001 at a stop, and shows it in the record after the next start', async () => {
  const world = await start();
  await registerCharger(world, 'ACME_1');
  const charger = await connectCharger({ url: `${world.ocpp}ACME_1` });
  await charger.boot();
  await world.service.stop();
  expect(await charger.waitForClose()).toMatchObject({ code: 1001 });
  const later = await start();
  const { json } = await call(`${later.http}/v2/chargers/ACME_1`, world.key);
  expect(json).toMatchObject({ activeConnection: false, manufacturer: 'Example' });
});

it('restores a backup while it runs: same addresses, restored data, chargers reconnect', async () => {
  const world = await start();
  await registerCharger(world, 'ACME_1');
  const charger = await connectCharger({ url: `${world.ocpp}ACME_1` });
  const file = join(directory, 'saved.db');
  await askRunningProcess(directory, ['backup', file]);
  const secretsKey = await readFile(join(directory, 'secrets-key'), 'utf8');
  expect((await readFile(file)).includes(secretsKey.trim())).toBe(false);
  expect((await call(`${world.http}/v2/chargers`, world.key, { name: 'Two', chargerId: 'ACME_2' })).status).toBe(200);

  await askRunningProcess(directory, ['restore', file]);
  expect(await charger.waitForClose()).toMatchObject({ code: 1001 });
  expect((await call(`${world.http}/v2/chargers/ACME_2`, world.key)).status).toBe(404);
  const again = await connectCharger({ url: `${world.ocpp}ACME_1` });
  expect(await again.boot()).toMatchObject({ status: 'Accepted' });
  expect(world.service.ready()).toBe(true);
  expect(await readFile(join(directory, 'secrets-key'), 'utf8')).toBe(secretsKey);
});

it('changes nothing for a file that is no backup, and stays ready', async () => {
  const world = await start();
  await registerCharger(world, 'ACME_1');
  await expect(askRunningProcess(directory, ['restore', join(directory, 'tls-cert.pem')])).rejects.toThrow(
    'not a backup',
  );
  expect((await call(`${world.http}/v2/chargers/ACME_1`, world.key)).status).toBe(200);
});

it('shows the console at /, and prints a link that signs in once', async () => {
  const pages = join(directory, 'console');
  await mkdir(pages);
  await writeFile(join(pages, 'index.html'), '<title>Busbar</title>');
  const world = await start({ CONSOLE_DIRECTORY: pages });
  expect((await ask(`${world.http}/`)).headers.location).toBe('/console/');
  expect((await ask(`${world.http}/console/chargers`)).text).toBe('<title>Busbar</title>');
  const [, address, code = ''] = /Console +(\S+)#code=(\S+)/.exec(world.text) ?? [];
  expect(address).toBe(`${world.http}/console/`);
  const signIn = () => ask(`${world.http}/console/session`, { method: 'POST', body: { code } });
  const cookie = (await signIn()).headers['set-cookie']?.[0]?.split(';')[0];
  expect((await signIn()).status).toBe(401);
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  expect((await ask(`${world.http}/console/session`, { headers })).json()).toMatchObject({ operator: false });
  expect((await ask(`${world.http}/v2/chargers`, { headers })).status).toBe(200);
  const legacy = await ask(`${world.http}/api/charger`, { headers });
  expect(legacy.status).toBe(401);
  await world.service.stop();
  running = [];
  const later = await start({ CONSOLE_DIRECTORY: pages }, false);
  expect(later.text).not.toContain('#code=');
  const link = await readFile(join(directory, 'console-link'), 'utf8');
  const again = await ask(`${later.http}/console/session`, {
    method: 'POST',
    body: { code: link.trim().split('=')[1] },
  });
  expect(again.status).toBe(204);
});

it('shows live counts on the start page to this machine alone', async () => {
  const world = await start({ CONSOLE: 'off' });
  await registerCharger(world, 'ACME_1');
  const charger = await connectCharger({ url: `${world.ocpp}ACME_1` });
  await charger.boot();
  const countsOf = (page: string) => [...page.matchAll(/<dd>(.*?)<\/dd><dt>(.*?)<\/dt>/g)].map((match) => match[1]);
  await eventually(async () => {
    const [chargers, connected, sessions, messages] = countsOf((await ask(`${world.http}/`)).text);
    return chargers === '1' && connected === '1' && sessions === '0' && Number(messages) > 0;
  });
  const forwarded = await ask(`${world.http}/`, { headers: { 'x-forwarded-for': '127.0.0.1' } });
  expect(forwarded.status).toBe(200);
  expect(countsOf(forwarded.text)).toEqual([]);
  await charger.close();
});

it('opens the port for plain ws where HOST opens the other one, unless OCPP_PLAIN_HOST narrows it', async () => {
  const world = await start({ HOST: '127.0.0.2' });
  expect(world.ocpp).toMatch(/^wss:\/\/127\.0\.0\.2:/);
  expect(world.plain).toMatch(/^ws:\/\/127\.0\.0\.2:/);
  await registerCharger(world, 'ACME_1');
  await (await connectCharger({ url: `${world.plain}ACME_1` })).close();
  await world.service.stop();
  const narrowed = await start({ HOST: '127.0.0.2', OCPP_PLAIN_HOST: '127.0.0.3' });
  expect(narrowed.ocpp).toMatch(/^wss:\/\/127\.0\.0\.2:/);
  expect(narrowed.plain).toMatch(/^ws:\/\/127\.0\.0\.3:/);
  await expect(start({ OCPP_PLAIN_HOST: '192.0.2.250', STORE_URL: `file:${directory}/other` })).rejects.toThrow(
    'OCPP_PLAIN_HOST must be an address or host name of this machine and is "192.0.2.250"',
  );
});

it('creates the self-signed certificate for TLS_NAMES, and another one once they change', async () => {
  const first = await start({ TLS_NAMES: 'hub.example.com' });
  expect(first.text).not.toContain('New: ');
  await first.service.stop();
  const second = await start({ TLS_NAMES: 'hub.example.com, 198.51.100.7' });
  expect(second.text).toContain('New: the earlier one lacked 198.51.100.7; its key is kept.');
  const port = Number(new URL(second.http).port);
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const served = socket.getPeerX509Certificate();
  expect(served?.checkIP('198.51.100.7')).toBe('198.51.100.7');
  expect(served?.checkHost('hub.example.com')).toBe('hub.example.com');
  socket.destroy();
});

it.each([
  [{ TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' }, 'TLS_NAMES is set and so is TLS_CERT_FILE'],
  [{ TLS: 'off', TRUSTED_PROXIES: '127.0.0.1' }, 'TLS_NAMES is set and so is TLS=off'],
])('refuses names for a certificate that it does not make: %j', (env, sentence) => {
  const read = () => readSettings(allInOneSettings, { TLS_NAMES: 'hub.example.com', ...env }, allInOneChecks);
  expect(read).toThrow(sentence);
});

it('rejects a port in use with the name of the variable', async () => {
  const world = await start();
  const { port } = new URL(world.http);
  const other = await mkdtemp(join(tmpdir(), 'all-in-one-'));
  await expect(start({ PORT: port, STORE_URL: `file:${other}` })).rejects.toThrow(
    `Port ${port} at 127.0.0.1 is taken by another process: stop that one or set PORT to another port.`,
  );
  await rm(other, { recursive: true });
});

it('shows the addresses of the running process', async () => {
  const world = await start({ OCPP_PLAIN_PORT: 'off' });
  const addresses = await askRunningProcess(directory, ['address']);
  expect(addresses?.data).toEqual({
    http: world.http,
    ocpp: world.ocpp,
    plainOcpp: null,
    internal: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    certificate: join(directory, 'tls-cert.pem'),
  });
});

describe('Strict-Transport-Security', () => {
  const headersOf = async ({ http }: Started) => {
    const replies = await Promise.all(
      ['/v2/sites', '/api/group', '/v2/docs', '/docs', '/nowhere'].map((path) => ask(`${http}${path}`)),
    );
    return [...new Set(replies.map(({ headers }) => headers['strict-transport-security']))];
  };

  it('is not sent with a self-signed certificate, which would lock browsers out', async () => {
    expect(await headersOf(await start())).toEqual([undefined]);
  });

  it('is sent for this host alone with a configured certificate', async () => {
    const { certFile, keyFile } = await selfSignedPair(join(directory, 'given'), systemClock);
    expect(await headersOf(await start({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }))).toEqual([
      'max-age=31536000',
    ]);
  });
});
