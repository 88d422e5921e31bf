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
export async function register(world: World, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY, rejectUnauthorized: false });
  const { v2 } = world.running();
  const post = (path: string, body: unknown) => postJson({ agent, target: v2, key: world.apiKey }, path, body);
  try {
    const site = (await post('/v2/sites', { name: 'Bench' })) as { readonly id: number };
    const waiting = chargerIds(count);
    const work = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        await post('/v2/chargers', { chargerId: id, name: id, siteId: site.id });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    agent.destroy();
  }
}

interface Caller {
  readonly agent: Agent;
  readonly target: Target;
  readonly key: string;
}

function postJson({ agent, target, key }: Caller, path: string, body: unknown): Promise<unknown> {
  const { host, port } = target;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host, port, path, method: 'POST', headers, timeout: WITHIN_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`POST ${path} got ${String(response.statusCode)}: ${text}`));
      });
    });
    asked.on('timeout', () => asked.destroy(new Error(`POST ${path} was not answered in time`)));
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}
