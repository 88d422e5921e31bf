// The time from a charger's frame until an integrator can read it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargerSocket, Target } from './charger-socket';
import { createHistogram } from './histogram';
import { connectHttps, getRequest, type HttpsConnection } from './https-client';
import { statusCall } from './messages';
import { keepCompany } from './company';

export interface ReadableInput {
  readonly target: Target;
  /** Below it a charger is read by its id. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly measureMs: number;
  /** StatusNotifications a second that the other chargers send meanwhile, together. */
  readonly besidePerSecond: number;
}

export interface ReadableResult {
  readonly frames: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Frames that were not readable in time, or refused. */
  readonly failed: number;
  /** The number of the others' StatusNotifications that could not be sent in time because the last one had no answer. */
  readonly besideSkipped: number;
}

const READABLE_WITHIN_MS = 10_000;
const BETWEEN_MS = 10;

/** The first charger sends and is read; the others are there for company. */
export async function runReadableLoad(
  sockets: readonly ChargerSocket[],
  input: ReadableInput,
): Promise<ReadableResult> {
  const [probe, ...others] = sockets;
  if (probe === undefined) throw new Error('no charger is connected');
  const connection = await connectHttps(input.target);
  const company = keepCompany(others, input.besidePerSecond);
  try {
    const request = getRequest(input.target, input.path + encodeURIComponent(probe.chargerId), input.headers);
    return { ...(await watch(probe, connection, request, input.measureMs)), besideSkipped: company.skipped() };
  } finally {
    company.stop();
    connection.destroy();
  }
}

async function watch(
  probe: ChargerSocket,
  connection: HttpsConnection,
  request: string,
  measureMs: number,
): Promise<Omit<ReadableResult, 'besideSkipped'>> {
  const histogram = createHistogram();
  const endMs = performance.now() + measureMs;
  let failed = 0;
  for (let n = 1; performance.now() < endMs; n += 1) {
    const at = new Date().toISOString();
    const messageId = `readable-${String(Date.now())}-${String(n)}`;
    const sentMs = performance.now();
    const answered = new Promise<boolean>((resolve) => probe.call(messageId, statusCall(messageId, n, at), resolve));
    let isReadable = false;
    while (!isReadable && performance.now() < sentMs + READABLE_WITHIN_MS) {
      isReadable = (await connection.exchange(request)).body.includes(at);
    }
    const tookMs = performance.now() - sentMs;
    if (isReadable && (await answered)) histogram.add(tookMs);
    else failed += 1;
    await sleep(BETWEEN_MS);
  }
  return { frames: histogram.count(), p50Ms: histogram.quantile(0.5), p99Ms: histogram.quantile(0.99), failed };
}
