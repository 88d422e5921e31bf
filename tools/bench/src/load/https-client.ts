// HTTP/1.1 over one persistent TLS connection, one request at a time: Node's own client costs more than the server under
// measurement.
import { connect, type TLSSocket } from 'node:tls';
import type { Target } from './charger-socket';

export interface HttpsConnection {
  /** Sends the request's text as it is; rejects when the connection ends or is silent. */
  exchange(request: string): Promise<HttpsReply>;
  destroy(): void;
}

export interface HttpsReply {
  readonly status: number;
  readonly body: string;
}

const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
const END_OF_HEAD = '\r\n\r\n';

export function getRequest(target: Target, path: string, headers: Readonly<Record<string, string>>): string {
  const all = { host: `${target.host}:${String(target.port)}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}`;
}

export function connectHttps({ host, port }: Target): Promise<HttpsConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false });
    const timer = setTimeout(() => socket.destroy(new Error('no TLS connection in time')), CONNECT_MS);
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(createConnection(socket));
    });
  });
}

interface Pending {
  readonly resolve: (reply: HttpsReply) => void;
  readonly reject: (error: Error) => void;
}

function createConnection(socket: TLSSocket): HttpsConnection {
  let pending: Pending | undefined;
  let received: Buffer = Buffer.alloc(0);

  function fail(error: Error): void {
    const failed = pending;
    pending = undefined;
    failed?.reject(error);
  }

  socket.setTimeout(SILENT_MS, () => {
    if (pending !== undefined) socket.destroy(new Error('no answer in time'));
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const reply = replyIn(received);
    if (reply === undefined) return;
    received = Buffer.alloc(0);
    const answered = pending;
    pending = undefined;
    answered?.resolve(reply);
  });
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) fail(new Error('the connection was closed'));
        else socket.write(request);
      }),
    destroy: () => void socket.destroy(),
  };
}

/** A whole reply with a content-length; undefined while it is not all there. */
function replyIn(bytes: Buffer): HttpsReply | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const from = end + END_OF_HEAD.length;
  if (bytes.length < from + length) return undefined;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    body: bytes.toString('utf8', from, from + length),
  };
}
