// Chargers are made through the product's own API, on some persistent connections.
import { Agent, request } from 'node:https';
import type { Target } from '../load/charger-socket';
import type { World } from './world';

const CONCURRENCY = 32;
const WITHIN_MS = 30_000;

/** The ids of this many chargers of a world's client. */
export function chargerIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `BENCH_${String(n + 1)}`);
}

/** Makes this many chargers in one site. */
export function register(world: World, count: number): Promise<void> {
  return registerThese(world, chargerIds(count));
}

/** Makes chargers with these ids in one site of the key's client, by default of the world's. */
export async function registerThese(world: World, ids: readonly string[], key = world.apiKey): Promise<void> {
  await withApi(world, key, async (send) => {
    const site = (await send('POST', '/v2/sites', { name: 'Bench' })) as { readonly id: number };
    const waiting = [...ids];
    const work = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        await send('POST', '/v2/chargers', { chargerId: id, name: id, siteId: site.id });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  });
}

/** Sends a request to the v2 API; rejects unless the answer is 200. */
export type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

/** `work` may send requests with this key until it ends. */
export async function withApi<T>(world: World, key: string, work: (send: Send) => Promise<T>): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY, rejectUnauthorized: false });
  const caller = { agent, target: world.running().v2, key };
  try {
    return await work((method, path, body) => sendJson(caller, { method, path, body }));
  } finally {
    agent.destroy();
  }
}

interface Caller {
  readonly agent: Agent;
  readonly target: Target;
  readonly key: string;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

function sendJson({ agent, target, key }: Caller, { method, path, body }: Call): Promise<unknown> {
  const { host, port } = target;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host, port, path, method, headers, timeout: WITHIN_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text === '' ? undefined : JSON.parse(text));
        else reject(new Error(`${method} ${path} got ${String(response.statusCode)}: ${text}`));
      });
    });
    asked.on('timeout', () => asked.destroy(new Error(`${method} ${path} was not answered in time`)));
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
