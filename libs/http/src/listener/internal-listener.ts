import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, type Service } from '@busbar/core';
import { bind, type BoundAddress } from './bind';

export interface InternalListenerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whether the process can do its work: the broker and the store are reached and it is not stopping. */
  readonly isReady: () => boolean;
  readonly readMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface InternalListener extends Service {
  /** What was bound. Throws before `start` resolved. */
  address(): BoundAddress;
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const TEXT = 'text/plain; charset=utf-8';
const REQUEST_MS = 5_000;
const CONNECTIONS = 100;

/**
 * `/livez`, `/readyz` and `/metrics` on a port of their own. `/livez` says only that the process answers: a process is not
 * to be restarted because the broker or the store is away.
 */
export function createInternalListener(options: InternalListenerOptions): InternalListener {
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS };
  const server = createServer(limits, (request, response) => void answer(options, request, response));
  server.maxConnections = CONNECTIONS;
  let bound: BoundAddress | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const start = async (): Promise<void> => {
    bound = await bind(server, { ...options, portVariable: 'INTERNAL_PORT', hostVariable: 'INTERNAL_HOST' });
  };
  const stop = async (): Promise<void> => {
    await starting?.catch(() => undefined);
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };

  return {
    name: 'internal listener',
    start: () => (stopping === undefined ? (starting ??= start()) : Promise.resolve()),
    stop: () => (stopping ??= stop()),
    ready: () => bound !== undefined && stopping === undefined,
    address() {
      if (bound === undefined) throw new AppError('unavailable', 'The internal listener has not been started.');
      return bound;
    },
  };
}

async function answer(
  options: InternalListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, contentType, text } = await answerTo(options, request).catch(failed);
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}

async function answerTo(options: InternalListenerOptions, { method, url = '' }: IncomingMessage): Promise<Answer> {
  const plain = (status: number, text: string): Answer => ({ status, contentType: TEXT, text: `${text}\n` });
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'method not allowed');
  const [path] = url.split('?');
  if (path === '/livez') return plain(200, 'live');
  if (path === '/readyz') return options.isReady() ? plain(200, 'ready') : plain(503, 'not ready');
  if (path === '/metrics') return { status: 200, ...(await options.readMetrics()) };
  return plain(404, 'not found');
}

function failed(): Answer {
  return { status: 500, contentType: TEXT, text: 'the metrics could not be read\n' };
}
