import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, type Clock, type Service } from '@busbar/core';
import { bind, type BoundAddress } from './bind';
import { createReadiness, type HealthCheck, type Readiness } from './readiness';

export interface InternalListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** The checks that must be ok for the process to work: its servers are reachable, and it is not stopping. */
  readonly checks: () => readonly HealthCheck[];
  readonly readMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** The fields that `/livez` shows beside the status: service, version, revision. */
  readonly about: Readonly<Record<string, string>>;
}

export interface InternalListener extends Service {
  /** The bound address. Throws before `start` resolved. */
  address(): BoundAddress;
}

interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TEXT = 'application/json; charset=utf-8';
const REQUEST_MS = 5_000;
const CONNECTIONS = 100;

/**
 * `/livez`, `/readyz` and `/metrics` on their own port. `/livez` shows only that the process responds, and which build it is: an
 * outage of the broker or the store must not restart it. `/readyz` shows each check, with status 503 while a required one fails.
 */
export function createInternalListener(options: InternalListenerOptions): InternalListener {
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS };
  const readiness = createReadiness(options.checks, options.clock);
  const parts = { ...options, readiness };
  const server = createServer(limits, (request, response) => void respond(parts, request, response));
  server.maxConnections = CONNECTIONS;
  let bound: BoundAddress | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const start = async (): Promise<void> => {
    bound = await bind(server, { ...options, portVariable: 'INTERNAL_PORT', hostVariable: 'INTERNAL_HOST' });
    readiness.start();
  };
  const stop = async (): Promise<void> => {
    await starting?.catch(() => undefined);
    readiness.stop();
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

interface Parts extends Pick<InternalListenerOptions, 'readMetrics' | 'about'> {
  readonly readiness: Readiness;
}

async function respond(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, contentType, text } = await replyTo(parts, request).catch(failed);
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}

async function replyTo(parts: Parts, { method, url = '' }: IncomingMessage): Promise<Reply> {
  const plain = (status: number, text: string): Reply => ({ status, contentType: TEXT, text: `${text}\n` });
  const json = (status: number, value: object): Reply => {
    return { status, contentType: JSON_TEXT, text: `${JSON.stringify(value)}\n` };
  };
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'method not allowed');
  const [path] = url.split('?');
  if (path === '/livez') return json(200, { status: 'live', ...parts.about });
  if (path === '/readyz') {
    const report = parts.readiness.report();
    return json(report.ready ? 200 : 503, report);
  }
  if (path === '/metrics') return { status: 200, ...(await parts.readMetrics()) };
  return plain(404, 'not found');
}

function failed(): Reply {
  return { status: 500, contentType: TEXT, text: 'metrics could not be read\n' };
}
