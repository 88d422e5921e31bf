import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';

export interface ConnectOptions {
  /** The whole address with the charger's id at the end. */
  readonly url: string;
  /** Default `['ocpp1.6']`; an empty list sends no header. */
  readonly subprotocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as Basic authentication with the charger's id, or with `username`. */
  readonly password?: string | Buffer;
  readonly username?: string;
  /** Default: any certificate is taken, since a test's is self-signed. */
  readonly tls?: Pick<
    ClientOptions,
    'ca' | 'cert' | 'ciphers' | 'key' | 'maxVersion' | 'minVersion' | 'rejectUnauthorized' | 'sigalgs'
  >;
  /** False leaves pings of the other side without an answer. */
  readonly autoPong?: boolean;
  readonly perMessageDeflate?: boolean;
  readonly handshakeTimeoutMs?: number;
}

/** The HTTP response of a server that refused the upgrade. */
export class UpgradeRejected extends Error {
  constructor(
    readonly status: number,
    readonly headers: IncomingMessage['headers'],
    readonly body: string,
  ) {
    super(`the upgrade was rejected with ${String(status)} ${body.slice(0, SHOWN_CHARACTERS)}`);
    this.name = 'UpgradeRejected';
  }
}

export interface OpeningSocket {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  /** The local port of its TCP connection; undefined until the server has accepted the upgrade. */
  readonly localPort: () => number | undefined;
}

const BODY_CHARACTERS = 65_536;
/** The length of the body that an error shows. */
const SHOWN_CHARACTERS = 200;

/**
 * A websocket as it is before it opened: attach listeners, then wait for `opened`, which rejects with `UpgradeRejected` when
 * the server answers with HTTP.
 */
export function openSocket(options: ConnectOptions): OpeningSocket {
  const socket = new WebSocket(options.url, [...(options.subprotocols ?? ['ocpp1.6'])], {
    headers: { ...authorization(options), ...options.headers },
    rejectUnauthorized: false,
    ...options.tls,
    autoPong: options.autoPong ?? true,
    perMessageDeflate: options.perMessageDeflate ?? false,
    handshakeTimeout: options.handshakeTimeoutMs ?? 20_000,
  });
  let localPort: number | undefined;
  socket.once('upgrade', (response: IncomingMessage) => (localPort = response.socket.localPort));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (request: ClientRequest, response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body = (body + chunk).slice(0, BODY_CHARACTERS)));
      response.on('end', () => {
        reject(new UpgradeRejected(response.statusCode ?? 0, response.headers, body));
        request.destroy();
      });
    });
  });
  return { socket, opened, localPort: () => localPort };
}

function authorization({ url, password, username }: ConnectOptions): Record<string, string> {
  if (password === undefined) return {};
  const identity = username ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  const credentials = Buffer.concat([Buffer.from(`${identity}:`), Buffer.from(password)]);
  return { authorization: `Basic ${credentials.toString('base64')}` };
}
