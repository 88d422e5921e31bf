// One charger that reports again and again, and how long each report takes to a reader, beside others that report at an even pace.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargerSocket } from './charger-socket';
import { keepCompany } from './company';
import { createHistogram } from './histogram';
import { statusCall } from './messages';

export interface ProbeInput {
  readonly measureMs: number;
  /** StatusNotifications a second that the other chargers send meanwhile, together. */
  readonly besidePerSecond: number;
}

export interface ProbeResult {
  readonly frames: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Frames that did not reach the reader in time, or were refused. */
  readonly failed: number;
  /** The number of the others' StatusNotifications that could not be sent in time because the last one had no answer. */
  readonly besideSkipped: number;
}

export interface ProbeReader {
  /** When the reader had this text, as `performance.now` says it; undefined when it did not have it in time. */
  seen(text: string): Promise<number | undefined>;
  close(): void;
}

/** A report reaches its reader within this time, or it has failed. */
export const SEEN_WITHIN_MS = 10_000;
const BETWEEN_MS = 10;

/** The first charger sends and is read; the others are there for company. */
export async function runProbe(
  sockets: readonly ChargerSocket[],
  { measureMs, besidePerSecond }: ProbeInput,
  open: (chargerId: string) => Promise<ProbeReader>,
): Promise<ProbeResult> {
  const [probe, ...others] = sockets;
  if (probe === undefined) throw new Error('no charger is connected');
  const reader = await open(probe.chargerId);
  const company = keepCompany(others, besidePerSecond);
  const histogram = createHistogram();
  let failed = 0;
  try {
    const endMs = performance.now() + measureMs;
    for (let n = 1; performance.now() < endMs; n += 1) {
      const at = new Date().toISOString();
      const messageId = `probe-${String(Date.now())}-${String(n)}`;
      const sentMs = performance.now();
      const answered = new Promise<boolean>((resolve) => probe.call(messageId, statusCall(messageId, n, at), resolve));
      const seenMs = await reader.seen(at);
      if (seenMs !== undefined && (await answered)) histogram.add(seenMs - sentMs);
      else failed += 1;
      await sleep(BETWEEN_MS);
    }
  } finally {
    company.stop();
    reader.close();
  }
  return {
    frames: histogram.count(),
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    failed,
    besideSkipped: company.skipped(),
  };
}
