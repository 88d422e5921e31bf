import { setTimeout as sleep } from 'node:timers/promises';
import { connectHttps, type HttpsConnection } from '../load/https-client';
import type { Target } from '../load/charger-socket';
import { createHistogram } from '../load/histogram';
import type { Asked, Question } from './questions';

export interface Caller {
  readonly target: Target;
  readonly clientId: string;
  readonly apiKey: string;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The responses other than 200. */
  readonly failures: readonly string[];
}

const MAX_FAILURES = 3;

/** Asks a question `times` times, one after the other, each time another way. */
export async function askOften(caller: Caller, question: Pick<Question, 'ask'>, times: number): Promise<Latencies> {
  const connection = await connectHttps(caller.target);
  try {
    const random = createRandom();
    return await timed(times, async () => exchange(connection, caller, question.ask(random)));
  } finally {
    connection.destroy();
  }
}

/** `undefined` from `work`: the response was 200. `pauseMs`: between two of them, not part of what is timed. */
export async function timed(
  times: number,
  work: (n: number) => Promise<string | undefined>,
  pauseMs = 0,
): Promise<Latencies> {
  const histogram = createHistogram();
  const failures: string[] = [];
  let maxMs = 0;
  for (let n = 0; n < times; n += 1) {
    const startMs = performance.now();
    const failure = await work(n);
    const ms = performance.now() - startMs;
    histogram.add(ms);
    maxMs = Math.max(maxMs, ms);
    if (failure !== undefined && failures.length < MAX_FAILURES) failures.push(failure);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  const [p50Ms, p95Ms, p99Ms] = [histogram.quantile(0.5), histogram.quantile(0.95), histogram.quantile(0.99)];
  return { count: times, p50Ms, p95Ms, p99Ms, maxMs, failures };
}

export async function exchange(connection: HttpsConnection, caller: Caller, asked: Asked): Promise<string | undefined> {
  const { status, body } = await connection.exchange(requestText(caller, asked));
  return status === 200 ? undefined : `${asked.method} ${asked.path}: ${String(status)} ${body.slice(0, 200)}`;
}

function requestText({ target, clientId, apiKey }: Caller, { method, path, body, isLegacy }: Asked): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const query = new URLSearchParams({ code: apiKey, clientId }).toString();
  const headers = [
    `host: ${target.host}:${String(target.port)}`,
    `x-api-key: ${apiKey}`,
    ...(text === '' ? [] : ['content-type: application/json', `content-length: ${String(Buffer.byteLength(text))}`]),
  ];
  const address = isLegacy === true ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path;
  return `${method} ${address} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`;
}

/** Whole numbers below a bound, the same ones in every run (mulberry32). */
function createRandom(): (below: number) => number {
  let state = 0x5eed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
