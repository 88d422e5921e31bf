import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createListener, type Listener, type ListenerOptions } from './create-listener';
import { HTTPS_REQUIRED, refusalOfParser, TOO_MANY_SOCKETS, UNMET_EXPECTATION, WITHOUT_HOST } from './refuse';

const HOST = 'Host: x\r\n';
const SECURE = 'X-Forwarded-Proto: https\r\n';
const ID = 'X-Request-Id: mine\r\n';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

describe('a request that reaches no app', () => {
  let listener: Listener;
  let waiting: ServerResponse[];

  const start = async (options: Partial<ListenerOptions> = {}): Promise<void> => {
    listener = createListener({
      host: '127.0.0.1',
      port: 0,
      // The test itself plays the proxy that ends TLS.
      trustedProxies: ['127.0.0.1'],
      logger: createRecordingLogger(),
      clock: createFakeClock(),
      onRequest: handle,
      ...options,
    });
    await listener.start();
  };

  beforeEach(() => {
    waiting = [];
  });

  afterEach(() => listener.stop());

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/wait') waiting.push(response);
    else response.setHeader('content-type', 'application/json').end('"reached"');
  };

  /** All answers that come to these bytes until the connection ends. */
  async function send(...parts: readonly (string | (() => void))[]): Promise<Answer[]> {
    const socket = connect(listener.address().port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    const closed = new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
    for (const part of parts) {
      if (typeof part === 'string') await new Promise((resolve) => socket.write(part, resolve));
      else part();
    }
    await closed;
    return text.split(/(?=HTTP\/1\.1 \d)/).map(parse);
  }

  const refused = (status: number, code: string) => ({
    status,
    headers: {
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': expect.stringMatching(/^[1-9]\d+$/) as string,
      'x-request-id': expect.stringMatching(/^.+$/) as string,
    },
    body: { status, code, errorCode: code, message: expect.stringMatching(/\.$/) as string },
  });

  it.each([
    ['a method that nobody knows', `FOO / HTTP/1.1\r\n${HOST}\r\n`, refused(400, 'invalid_request')],
    ['no HTTP', 'nonsense\r\n\r\n', refused(400, 'invalid_request')],
    ['a length that is none', `POST / HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`, refused(400, 'invalid_request')],
    ['no host', `GET / HTTP/1.1\r\n${SECURE}\r\n`, refused(400, 'invalid_request')],
    ['two hosts', `GET / HTTP/1.1\r\n${SECURE}${HOST}${HOST}\r\n`, refused(400, 'invalid_request')],
    ['a wish', `GET / HTTP/1.1\r\n${SECURE}${HOST}Expect: foo\r\n\r\n`, refused(417, 'expectation_failed')],
    ['long headers', `GET /?${'x'.repeat(200_000)} HTTP/1.1\r\n${HOST}\r\n`, refused(431, 'headers_too_large')],
  ])('gets an error that explains: %s', async (_name, bytes, expected) => {
    await start();
    const [answer, ...more] = await send(bytes);
    expect(answer).toMatchObject(expected);
    expect(answer?.body).toMatchObject({ requestId: answer?.headers['x-request-id'] });
    expect(more).toEqual([]);
  });

  it('gets its own request id where it has one', async () => {
    await start();
    for (const wrong of [`${HOST}Expect: foo\r\n`, '']) {
      const [answer] = await send(`GET / HTTP/1.1\r\n${SECURE}${ID}${wrong}\r\n`);
      expect([answer?.headers['x-request-id'], answer?.body]).toMatchObject(['mine', { requestId: 'mine' }]);
    }
  });

  it.each(['X-Slow: ', `${HOST}${SECURE}Content-Length: 10\r\n\r\n12345`])(
    'receives a response when time is up: %j',
    async (part) => {
      await start({ limits: { headersMs: 100, requestMs: 200 }, onRequest: () => undefined });
      expect(await send(`POST / HTTP/1.1\r\n${part}`)).toMatchObject([refused(408, 'request_timeout')]);
    },
  );

  it('gets a timeout also for the body of a request whose upgrade was ignored', async () => {
    await start({ limits: { headersMs: 100, requestMs: 200 }, onRequest: () => undefined });
    const head = `POST / HTTP/1.1\r\n${HOST}${SECURE}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 10\r\n\r\n`;
    expect(await send(head)).toMatchObject([refused(408, 'request_timeout')]);
  });

  it('is rejected for plain HTTP first, by the app', async () => {
    await start();
    for (const bytes of ['', `${HOST}Expect: foo\r\n`]) {
      const [answer] = await send(`GET / HTTP/1.1\r\nConnection: close\r\n${bytes}\r\n`);
      expect(answer?.body).toBe('reached');
    }
  });

  it('is rejected for plain HTTP first, by a port for plain websockets', async () => {
    await start({ plainWebsocketsOnly: true });
    for (const bytes of ['', `${HOST}Expect: foo\r\n`]) {
      const [answer] = await send(`GET / HTTP/1.1\r\n${SECURE}${bytes}\r\n`);
      expect(answer).toMatchObject(refused(403, 'https_required'));
    }
  });

  it('accepts HTTP/1.0 without a host', async () => {
    await start();
    expect(await send(`GET / HTTP/1.0\r\n${SECURE}\r\n`)).toMatchObject([{ status: 200, body: 'reached' }]);
  });

  it('is never sent in place of an earlier response', async () => {
    await start();
    const answers = send(`GET /wait HTTP/1.1\r\n${HOST}${SECURE}\r\nnonsense\r\n\r\n`, 'more nonsense\r\n\r\n');
    await eventually(() => waiting.length === 1);
    waiting[0]?.end('"first"');
    expect(await answers).toMatchObject([{ status: 200, body: 'first' }]);
  });

  it('is listed in docs/errors.md with its status and code', () => {
    const document = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');
    const rows = [...document.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)].map(([, status, code]) => `${status} ${code}`);
    const parser = ['HPE_X', 'HPE_INVALID_METHOD', 'HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT'];
    const known = [
      HTTPS_REQUIRED,
      WITHOUT_HOST,
      UNMET_EXPECTATION,
      TOO_MANY_SOCKETS,
      ...parser.map((code) => refusalOfParser(Object.assign(new Error(), { code }))),
    ];
    const reported = known.map((refusal) => `${String(refusal?.status)} ${String(refusal?.code)}`);
    expect(new Set(rows)).toEqual(new Set(reported));
  });
});

function parse(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((each) => {
    const [name = '', value = ''] = each.split(': ');
    return [name.toLowerCase(), value] as const;
  });
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body: JSON.parse(body) };
}
