import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as requestSecure } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { ask, createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { generate } from 'selfsigned';
import { createProxyTrust, isSecure } from '../routing/policy/https-only';
import { createListener, type Listener, type ListenerOptions } from './create-listener';

const LOOK_MS = 5_000;
const OTHER_ENDS = new Date('2099-01-02T03:04:05Z');
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' };

describe('the listener', () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const trust = createProxyTrust([]);
  const listeners: Listener[] = [];
  let directory: string;
  let tls: { certFile: string; keyFile: string };
  let first: { cert: string; private: string };
  let other: { cert: string; private: string };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-listener-'));
    tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    first = await generate([{ name: 'commonName', value: 'first' }], { keyType: 'ec' });
    other = await generate([{ name: 'commonName', value: 'second' }], { keyType: 'ec', notAfterDate: OTHER_ENDS });
    writeFileSync(tls.certFile, first.cert);
    writeFileSync(tls.keyFile, first.private);
  });

  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const start = async (options: Partial<ListenerOptions> = {}): Promise<number> => {
    const listener = createListener({
      host: '127.0.0.1',
      port: 0,
      tls,
      trustedProxies: [],
      logger,
      clock,
      onRequest: respondSecurity,
      ...options,
    });
    listeners.push(listener);
    await listener.start();
    return listener.address().port;
  };

  const respondSecurity = (request: IncomingMessage, response: ServerResponse): void => {
    response.end(isSecure(request, trust) ? 'secure' : 'insecure');
  };

  it('logs a client that has no TLS version in common', async () => {
    const port = await start();
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...old });
    client.on('error', () => undefined);
    await eventually(() => logger.lines.some(({ message }) => message === 'a TLS handshake failed'));
    client.destroy();
  });

  it('speaks TLS, and passes on plain HTTP of the same port as not secure', async () => {
    const port = await start();
    expect((await ask(`https://127.0.0.1:${String(port)}/`)).text).toBe('secure');
    expect((await ask(`http://127.0.0.1:${String(port)}/`)).text).toBe('insecure');
  });

  it('accepts a request that arrives byte by byte, plain or in TLS', async () => {
    const port = await start();
    const head = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const plain = connectPlain(port, '127.0.0.1');
    plain.setNoDelay(true);
    expect(await exchange(plain, head.split(''))).toContain('insecure');
    const secure = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    expect(await exchange(secure, head.split(''))).toContain('secure');
  });

  it('rejects TLS 1.1', async () => {
    const port = await start();
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow(/protocol|version/i);
  });

  it('reports for an upgrade whether it used TLS', async () => {
    const upgrades: boolean[] = [];
    const port = await start({
      onUpgrade(_request, socket, _head, { secure }) {
        upgrades.push(secure);
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      },
    });
    expect((await ask(`https://127.0.0.1:${String(port)}/ocpp/A`, { headers: UPGRADE })).status).toBe(403);
    expect((await ask(`http://127.0.0.1:${String(port)}/ocpp/A`, { headers: UPGRADE })).status).toBe(403);
    expect(upgrades).toEqual([true, false]);
  });

  it('treats an upgrade as an ordinary request without a handler', async () => {
    const port = await start();
    expect((await ask(`https://127.0.0.1:${String(port)}/`, { headers: UPGRADE })).text).toBe('secure');
  });

  it('is a plain port without certificate files', async () => {
    const port = await start({ tls: undefined });
    expect((await ask(`http://127.0.0.1:${String(port)}/`)).text).toBe('insecure');
  });

  it("rejects every ordinary request on a port for plain websockets, also a proxy's, and accepts upgrades", async () => {
    let upgrades = 0;
    const port = await start({
      tls: undefined,
      plainWebsocketsOnly: true,
      trustedProxies: ['127.0.0.1'],
      onUpgrade(_request, socket) {
        upgrades += 1;
        socket.destroy();
      },
    });
    const headers = { 'x-forwarded-proto': 'https', 'x-request-id': 'mine' };
    const reply = await ask(`http://127.0.0.1:${String(port)}/v2/sites`, {
      method: 'POST',
      headers,
      body: { name: 'x' },
    });
    expect(reply.status).toBe(403);
    expect(reply.json()).toMatchObject({ code: 'https_required', errorCode: 'https_required', requestId: 'mine' });
    await expect(ask(`http://127.0.0.1:${String(port)}/ocpp/A`, { headers: UPGRADE })).rejects.toThrow();
    expect(upgrades).toBe(1);
  });

  it('uses a replaced pair for new connections, and keeps the old one when the new is invalid', async () => {
    const port = await start();
    const nameOf = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().subject.CN as string);
          socket.destroy();
        });
        socket.once('error', reject);
      });
    expect(await nameOf()).toBe('first');
    writeFileSync(tls.certFile, 'broken');
    clock.advance(2 * LOOK_MS);
    expect(await nameOf()).toBe('first');
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    writeFileSync(tls.certFile, other.cert);
    writeFileSync(tls.keyFile, other.private);
    clock.advance(LOOK_MS);
    expect(await nameOf()).toBe('second');
  });

  it('announces the end of the certificate at the start and after each change', async () => {
    writeFileSync(tls.certFile, first.cert);
    writeFileSync(tls.keyFile, first.private);
    const ends: Date[] = [];
    await start({ onCertificate: (endsAt) => ends.push(endsAt) });
    writeFileSync(tls.certFile, other.cert);
    writeFileSync(tls.keyFile, other.private);
    clock.advance(LOOK_MS);
    expect(ends).toEqual([new Date(new X509Certificate(first.cert).validTo), OTHER_ENDS]);
  });

  it('rejects a taken port and an unreadable certificate with one sentence', async () => {
    const port = await start();
    const taken = createListener({ ...base(), port });
    const starting = taken.start();
    await expect(starting).rejects.toThrow(
      `Port ${String(port)} at 127.0.0.1 is taken by another process: stop that one or set PORT to another port.`,
    );
    await expect(starting).rejects.toMatchObject({ code: 'unavailable' });
    await taken.stop();
    const unreadable = createListener({ ...base(), tls: { ...tls, keyFile: '/nowhere/key.pem' } });
    await expect(unreadable.start()).rejects.toThrow(/^TLS_KEY_FILE names \/nowhere\/key\.pem, /);
    await unreadable.stop();
    const elsewhere = createListener({ ...base(), host: '192.0.2.1' });
    await expect(elsewhere.start()).rejects.toThrow(/^192\.0\.2\.1 is no address of this machine .* correct HOST\.$/);
    await elsewhere.stop();
  });

  const base = (): ListenerOptions => ({
    host: '127.0.0.1',
    port: 0,
    tls,
    trustedProxies: [],
    logger,
    clock,
    onRequest: respondSecurity,
  });

  it('closes connections that send too little within the time', async () => {
    const port = await start({ limits: { handshakeMs: 50, headersMs: 100, requestMs: 200 } });
    const silent = connectPlain(port, '127.0.0.1');
    await expect(exchange(silent, [])).resolves.toBe('');
    const slow = connectPlain(port, '127.0.0.1');
    expect(await exchange(slow, ['GET / HTTP/1.1\r\nHost: x\r\nX-Slow'])).toMatch(/^HTTP\/1\.1 408 /);
    const slowBody = connectPlain(port, '127.0.0.1');
    const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345';
    await eventually(() => exchange(slowBody, [post]));
  });

  it('responds 400 to invalid HTTP and 431 to large headers', async () => {
    const port = await start({ limits: { headerBytes: 4_096 } });
    expect(await exchange(connectPlain(port, '127.0.0.1'), ['nonsense\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 /);
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(5_000)}\r\n\r\n`;
    expect(await exchange(connectPlain(port, '127.0.0.1'), [large])).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('survives connections that break off at any point', async () => {
    const port = await start();
    for (const bytes of [[], [0x16], [0x16, 3, 1, 0], [0x47]]) {
      const socket = connectPlain(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.write(Buffer.from(bytes), resolve));
      socket.resetAndDestroy();
    }
    expect((await ask(`https://127.0.0.1:${String(port)}/`)).text).toBe('secure');
  });

  it('stops in order: no new connections, idle ones ended, a request in flight answered', async () => {
    let finish: () => void = () => undefined;
    const port = await start({
      onRequest(request, response) {
        if (request.url === '/slow') finish = () => response.end('done');
        else response.end('at once');
      },
    });
    const [listener] = listeners;
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    expect(await askWith(agent, port, '/')).toMatchObject({ text: 'at once' });
    const slow = ask(`https://127.0.0.1:${String(port)}/slow`, { headers: { connection: 'keep-alive' } });
    const first = finish;
    await eventually(() => finish !== first);

    const stopped = listener?.stop();
    expect(listener?.ready()).toBe(false);
    await eventually(() =>
      ask(`https://127.0.0.1:${String(port)}/`).then(
        () => false,
        () => true,
      ),
    );
    finish();
    expect(await slow).toMatchObject({ text: 'done', headers: { connection: 'close' } });
    await stopped;
    await listener?.stop();
    agent.destroy();
  });

  it('closes requests that exceed the stop time, but no upgraded socket', async () => {
    const upgraded: Duplex[] = [];
    const port = await start({
      limits: { stopMs: 50 },
      onRequest: () => undefined,
      onUpgrade: (_request, socket) => {
        upgraded.push(socket);
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      },
    });
    const hanging = ask(`https://127.0.0.1:${String(port)}/`);
    const failed = expect(hanging).rejects.toThrow();
    const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    client.write('GET /ocpp/A HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await eventually(() => upgraded.length === 1);
    await listeners[0]?.stop();
    await failed;
    const echoed = new Promise((resolve) =>
      client.on('data', (chunk) => String(chunk).includes('still here') && resolve(true)),
    );
    upgraded[0]?.write('still here');
    await echoed;
    client.destroy();
    upgraded[0]?.destroy();
  });

  it('requests a client certificate with authorities, and leaves the decision to the handler', async () => {
    let isAuthorized: boolean | undefined;
    const port = await start({
      tls: { ...tls, clientCaFile: tls.certFile },
      onRequest(request, response) {
        isAuthorized = (request.socket as { authorized?: boolean }).authorized;
        response.end();
      },
    });
    expect((await ask(`https://127.0.0.1:${String(port)}/`)).status).toBe(200);
    expect(isAuthorized).toBe(false);
  });

  it('limits connections', async () => {
    const port = await start({ limits: { connections: 1 } });
    const first = connectPlain(port, '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    await eventually(() => exchange(connectPlain(port, '127.0.0.1'), []).then((text) => text === ''));
    first.destroy();
  });
});

/** Writes the parts one by one and resolves with all that came back until the other end closed. */
async function exchange(socket: Socket, parts: readonly string[]): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  await closed;
  return text;
}

function askWith(agent: Agent, port: number, path: string): Promise<{ text: string }> {
  return new Promise((resolve, reject) => {
    const request = requestSecure({ agent, port, path, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.once('end', () => resolve({ text }));
    });
    request.once('error', reject);
    request.end();
  });
}
