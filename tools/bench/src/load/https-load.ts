import type { Target } from './charger-socket';
import { createHistogram } from './histogram';
import { connectHttps, getRequest, type HttpsConnection } from './https-client';

export interface HttpsInput {
  readonly target: Target;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface HttpsResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Replies with another status than 200. */
  readonly failed: number;
}

/** Asks over and over on persistent connections. Rejects when one of them ends. */
export async function runHttpsLoad(input: HttpsInput): Promise<HttpsResult> {
  const connections = await Promise.all(Array.from({ length: input.connections }, () => connectHttps(input.target)));
  try {
    return await ask(connections, input);
  } finally {
    for (const connection of connections) connection.destroy();
  }
}

async function ask(connections: readonly HttpsConnection[], input: HttpsInput): Promise<HttpsResult> {
  const request = getRequest(input.target, input.path, input.headers);
  const histogram = createHistogram();
  const fromMs = performance.now() + input.warmUpMs;
  const endMs = fromMs + input.measureMs;
  let failed = 0;
  const work = async (connection: HttpsConnection): Promise<void> => {
    for (let startMs = performance.now(); startMs < endMs;) {
      const { status } = await connection.exchange(request);
      const now = performance.now();
      if (status !== 200) failed += 1;
      else if (startMs >= fromMs && now < endMs) histogram.add(now - startMs);
      startMs = now;
    }
  };
  await Promise.all(connections.map(work));
  return {
    perSecond: histogram.count() / (input.measureMs / 1000),
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    failed,
  };
}
