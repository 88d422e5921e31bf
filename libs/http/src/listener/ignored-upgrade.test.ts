import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { generate } from 'selfsigned';
import { createListener, type Listener } from './create-listener';

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const HOST = 'Host: x\r\n';

describe('a request for an upgrade without a handler', () => {
  let directory: string;
  let listener: Listener;
  let seen: string[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-upgrade-'));
    const pair = await generate([{ name: 'commonName', value: 'x' }], { keyType: 'ec' });
    writeFileSync(join(directory, 'cert.pem'), pair.cert);
    writeFileSync(join(directory, 'key.pem'), pair.private);
  });

  beforeEach(async () => {
    seen = [];
    listener = createListener({
      host: '127.0.0.1',
      port: 0,
      tls: { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') },
      trustedProxies: [],
      logger: createRecordingLogger(),
      clock: createFakeClock(),
      onRequest: echo,
      onUpgrade: (_request, socket) => socket.end('taken'),
      acceptsUpgrade: ({ headers }) => headers.upgrade === 'websocket',
    });
    await listener.start();
  });

  afterEach(() => listener.stop());

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const echo = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const line = `${String(request.method)} ${String(request.url)} ${body}`.trim();
      seen.push(line);
      response.end(`<${line}>`);
    });
  };

  const plain = (): Socket => connectPlain(listener.address().port, '127.0.0.1');
  const tls = (): Socket => connectTls({ port: listener.address().port, host: '127.0.0.1', rejectUnauthorized: false });

  describe.each([
    ['plain', plain],
    ['TLS', tls],
  ])('over %s', (_name, open) => {
    it('is an ordinary request, and the last of its connection', async () => {
      const reply = await exchange(open(), `GET /v2/sites HTTP/1.1\r\n${HOST}${H2C}\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/);
      expect(reply).toContain('<GET /v2/sites>');
    });

    it.each([
      ['of an announced length', 'Content-Length: 5\r\n\r\nhello'],
      ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
    ])('has its body: %s', async (_kind, rest) => {
      const reply = await exchange(open(), `POST /v2/sites HTTP/1.1\r\n${HOST}${H2C}${rest}`);
      expect(reply).toContain('<POST /v2/sites hello>');
    });

    it('has a body that arrives later in parts', async () => {
      const head = `POST /v2/sites HTTP/1.1\r\n${HOST}${H2C}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`;
      const socket = open();
      const asked = new Promise((resolve) => socket.once('data', resolve));
      const reply = exchange(socket, head);
      expect(String(await asked)).toMatch(/^HTTP\/1\.1 100 /);
      for (const piece of 'hello') socket.write(piece);
      expect(await reply).toContain('<POST /v2/sites hello>');
    });

    it('gets its response in order, and later bytes are discarded', async () => {
      const before = `GET /1 HTTP/1.1\r\n${HOST}\r\n`;
      const behind = `POST /3 HTTP/1.1\r\n${HOST}Content-Length: 40\r\n\r\n`;
      const reply = await exchange(
        open(),
        `${before}GET /2 HTTP/1.1\r\n${HOST}${H2C}\r\n${behind}`,
        `GET /within-a-body HTTP/1.1\r\n${HOST}\r\n`,
      );
      expect(reply.match(/<.*?>/g)).toEqual(['<GET /1>', '<GET /2>']);
      expect(seen).not.toContain('GET /within-a-body');
    });

    it('is an upgrade with a handler, also after other requests', async () => {
      const upgrade = `GET /ocpp/A HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      expect(await exchange(open(), upgrade)).toBe('taken');
      const socket = open();
      const first = new Promise((resolve) => socket.once('data', resolve));
      socket.write(`GET /1 HTTP/1.1\r\n${HOST}\r\n`);
      await first;
      expect(await exchange(socket, upgrade)).toBe('taken');
    });
  });

  it('may be CONNECT', async () => {
    expect(await exchange(plain(), `CONNECT elsewhere:443 HTTP/1.1\r\n${HOST}\r\n`)).toContain(
      '<CONNECT elsewhere:443>',
    );
  });
});

/** Writes the parts and resolves with what came back until the other end closed. */
async function exchange(socket: Socket, ...parts: readonly string[]): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  await closed;
  return text;
}
