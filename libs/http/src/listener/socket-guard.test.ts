// Limits on the number of sockets of a stranger, and on their time.
import { connect as connectPlain, type Socket } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { generate } from 'selfsigned';
import {
  createListener,
  type Listener,
  type ListenerOptions,
  type RefusedRequest,
  type UpgradeConnection,
} from './create-listener';
import { endSocket } from './end-socket';
import { createSocketGuard } from './socket-guard';

const UPGRADE = 'GET /ocpp/A HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';

describe('the sockets of a listener', () => {
  let clock: ReturnType<typeof createFakeClock>;
  let logger: ReturnType<typeof createRecordingLogger>;
  let listener: Listener;
  let sockets: Socket[];
  let directory: string;
  let tls: { certFile: string; keyFile: string };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-sockets-'));
    tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    const pair = await generate([{ name: 'commonName', value: 'x' }], { keyType: 'ec' });
    writeFileSync(tls.certFile, pair.cert);
    writeFileSync(tls.keyFile, pair.private);
  });

  beforeEach(() => {
    clock = createFakeClock();
    logger = createRecordingLogger();
    sockets = [];
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.stop();
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  async function start(options: Partial<ListenerOptions> = {}): Promise<number> {
    const onRequest: ListenerOptions['onRequest'] = (_request, response) => response.end('served');
    const common = { host: '127.0.0.1', port: 0, trustedProxies: [], logger, clock, onRequest };
    listener = createListener({ ...common, ...options });
    await listener.start();
    return listener.address().port;
  }

  function open(localAddress = '127.0.0.1'): Socket {
    const socket = connectPlain({ port: listener.address().port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  }

  /** Opens so many, of which so many stay open. */
  async function openMany(count: number, staying: number, localAddress?: string): Promise<void> {
    const before = listener.sockets();
    const opened = Array.from({ length: count }, () => open(localAddress));
    const closed = new Set<Socket>();
    for (const socket of opened) socket.resume().once('close', () => closed.add(socket));
    await eventually(() => count - closed.size === staying && listener.sockets() === before + staying);
  }

  const warnings = () => logger.lines.filter(({ level }) => level === 'warn');

  it('limits the sockets of one address, so that others can connect', async () => {
    await start({ limits: { socketsPerAddress: 5 } });
    await openMany(20, 5);
    expect(await servedFrom('127.0.0.1')).toBe('');
    expect(await servedFrom('127.0.0.2')).toContain('served');
    expect(warnings()).toMatchObject([{ fields: { cause: 'address', listener: 'listener', address: '127.0.0.1' } }]);
  });

  async function servedFrom(localAddress: string): Promise<string> {
    const socket = open(localAddress);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  }

  it('leaves descriptors free when one address opens many sockets under a low limit', async () => {
    await start({ limits: { descriptors: 40 } });
    await openMany(30, 10);
    expect(await servedFrom('127.0.0.2')).toContain('served');
  });

  it('accepts any number of sockets from one address where the limit is off', async () => {
    await start({ limits: { socketsPerAddress: 0, connections: 30 } });
    await openMany(25, 25);
  });

  it('stops counting a socket of an address when it closes', async () => {
    await start({ limits: { socketsPerAddress: 3 } });
    await openMany(3, 3);
    for (const socket of sockets) socket.destroy();
    await eventually(() => listener.sockets() === 0);
    await openMany(3, 3);
  });

  it.each([false, true])('does not count an admitted charger against its address (TLS: %s)', async (isSecure) => {
    const upgraded: UpgradeConnection[] = [];
    const port = await start({
      ...(isSecure ? { tls } : {}),
      limits: { socketsPerAddress: 2 },
      onUpgrade: (_request, _socket, _head, connection) => void upgraded.push(connection),
    });
    for (let count = 1; count <= 4; count += 1) {
      const socket = isSecure ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : open();
      socket.on('error', () => undefined);
      sockets.push(socket);
      socket.write(`${UPGRADE}\r\n`);
      await eventually(() => upgraded.length === count);
      upgraded.at(-1)?.admitted();
    }
    await openMany(4, 2);
  });

  it('counts by the address that a trusted proxy forwards, and does not count its own sockets', async () => {
    const upgraded: UpgradeConnection[] = [];
    const refused: RefusedRequest[] = [];
    await start({
      onRefused: (_request, each) => void refused.push(each),
      trustedProxies: ['127.0.0.1'],
      limits: { socketsPerAddress: 2 },
      onUpgrade: (_request, _socket, _head, connection) => void upgraded.push(connection),
    });
    const forward = (address: string): Promise<string> => {
      const socket = open();
      socket.write(`${UPGRADE}X-Request-Id: its-own\r\nX-Forwarded-For: ${address}\r\n\r\n`);
      return new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk).slice(0, 12))));
    };
    void forward('203.0.113.7');
    void forward('203.0.113.7');
    await eventually(() => upgraded.length === 2);
    expect(await forward('203.0.113.7')).toBe('HTTP/1.1 429');
    const report = { code: 'too_many_sockets', requestId: 'its-own', from: { address: '203.0.113.7' } };
    expect(refused).toMatchObject([report]);
    void forward('203.0.113.8');
    await eventually(() => upgraded.length === 3);
    await openMany(5, 5);
    upgraded[0]?.admitted();
    void forward('203.0.113.7');
    await eventually(() => upgraded.length === 4);
  });

  it('logs sockets above the limit once, and once more when the outage ends', async () => {
    await start({ limits: { connections: 4, socketsPerAddress: 0 } });
    await openMany(4, 4);
    await openMany(20, 0, '127.0.0.2');
    clock.advance(5_000);
    await openMany(20, 0);
    expect(warnings()).toMatchObject([{ fields: { cause: 'full', listener: 'listener' } }]);
    for (const socket of sockets) socket.destroy();
    await eventually(() => listener.sockets() === 0);
    clock.advance(11_000);
    expect(logger.lines.at(-1)?.message).toBe('accepting new connections again');
    expect(logger.lines).toHaveLength(2);
  });

  it('destroys a socket 2 s after its last bytes when the peer keeps its side open, also over TLS', async () => {
    const port = await start({
      tls,
      onUpgrade: (_request, socket) => endSocket(socket, 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', clock),
    });
    // Node's types know this option of sockets alone.
    const stays = { allowHalfOpen: true };
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...stays });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.resume().write(`${UPGRADE}\r\n`);
    await new Promise((resolve) => socket.once('end', resolve));
    clock.advance(1_999);
    expect(listener.sockets()).toBe(1);
    clock.advance(1);
    await eventually(() => listener.sockets() === 0);
  });

  it.each([
    ['no byte', (port: number) => connectPlain(port, '127.0.0.1')],
    ['no TLS handshake', (port: number) => connectPlain(port, '127.0.0.1').on('connect', sendFirstByte)],
    ['no request', (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })],
  ])('closes a socket after a time if it sends %s', async (_what, connect) => {
    const port = await start({ tls, limits: { handshakeMs: 100, headersMs: 100 } });
    const socket = connect(port);
    sockets.push(socket);
    socket.on('error', () => undefined);
    await eventually(() => listener.sockets() === 1);
    // A response of 408, where there is one, is not read.
    await eventually(() => {
      clock.advance(2_000);
      return listener.sockets() === 0;
    });
  });

  function sendFirstByte(this: Socket): void {
    this.write(Buffer.from([0x16, 3, 1]));
  }

  it('closes a socket after a time if its peer does not read its response', async () => {
    await start({
      limits: { stalledMs: 200 },
      onRequest: (_request, response) => response.end(Buffer.alloc(32_000_000)),
    });
    const socket = open();
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => listener.sockets() === 1);
    await eventually(() => listener.sockets() === 0);
  });
});

it('logs exhausted file descriptors once, and once when there are some again', async () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  let isOut = true;
  const guard = createSocketGuard({
    name: 'public',
    maxSockets: 10,
    maxPerAddress: 0,
    isTrustedProxy: () => false,
    clock,
    logger,
    isOutOfDescriptors: () => Promise.resolve(isOut),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  guard.start();
  await pass(20);
  expect(logger.lines).toMatchObject([{ level: 'warn', fields: { cause: 'descriptors', listener: 'public' } }]);
  isOut = false;
  await pass(12);
  expect(logger.lines.at(-1)).toMatchObject({ level: 'info' });
  expect(logger.lines).toHaveLength(2);
  guard.stop();
});
