// The queue of one partition to the broker, in order, with one publish in flight. Reports that arrive meanwhile are the next
// batch, so the broker's own speed makes the batches and no timer does.
import type { Broker, PublishFailure } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import type { Backoff, Clock } from '@busbar/core';
import type { PublishResult } from '../connection/report-publisher';

export interface OutboxEntry {
  readonly report: ReportEnvelope;
  /** Monotonic milliseconds after which it is given up; Infinity for a report that must not be lost. */
  readonly expiresAtMs: number;
  readonly done: (result: PublishResult) => void;
}

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxDeps {
  readonly broker: Pick<Broker, 'enqueue'>;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly onFailure: (failure: PublishFailure) => void;
  /** The broker can never accept this report. It is dropped, and its `done` gets `expired`. */
  readonly onUnsendable: (report: ReportEnvelope) => void;
}

/** Reports in one broker message; the consumer writes about as many together. */
const MAX_BATCH = 200;
/**
 * Characters of frames in one broker message: a replica prefetches twenty messages of each partition. UTF-8 in JSON takes up
 * to three times as much. A message above RabbitMQ's limit (16 MiB) is halved until it fits.
 */
const MAX_BATCH_CHARACTERS = 500_000;

export function createOutbox(partition: number, deps: OutboxDeps) {
  let waiting: OutboxEntry[] = [];
  /** The batch in flight or to be retried. It is retried unchanged, since the broker may have it already. */
  let current: readonly OutboxEntry[] = [];
  let inFlight = false;
  /** Reports of the batch in flight whose `done` got `expired`. The broker may have them; their charger retries. */
  const givenUp = new Set<OutboxEntry>();
  let retry: { cancel(): void } | undefined;
  let closed = false;

  function flush(): void {
    if (inFlight || closed || retry !== undefined) return;
    if (current.length === 0) {
      if (waiting.length === 0) return;
      const count = batchSize(waiting);
      current = waiting.length === count ? waiting : waiting.slice(0, count);
      waiting = waiting.length === count ? [] : waiting.slice(count);
    }
    inFlight = true;
    deps.broker.enqueue(channels.reports, partition, { reports: current.map((entry) => entry.report) }, onConfirm);
  }

  function onConfirm(failure?: PublishFailure): void {
    inFlight = false;
    if (failure === undefined) {
      const confirmed = stillWanted();
      current = [];
      givenUp.clear();
      deps.backoff.reset();
      // The next batch leaves first: the answers of this one are written while it is in flight.
      flush();
      for (const entry of confirmed) entry.done('confirmed');
      return;
    }
    if (closed) return;
    current = stillWanted();
    givenUp.clear();
    if (failure === 'unsendable') {
      splitBatch();
      return;
    }
    deps.onFailure(failure);
    retry = deps.clock.after(deps.backoff.next(), () => {
      retry = undefined;
      flush();
    });
  }

  /** The broker can never accept `current`: half of it is published alone, and a single report is given up. */
  function splitBatch(): void {
    const [first, second] = current;
    const alone = second === undefined ? first : undefined;
    const half = alone === undefined ? Math.ceil(current.length / 2) : 1;
    waiting = [...current.slice(half), ...waiting];
    current = alone === undefined ? current.slice(0, half) : [];
    flush();
    if (alone === undefined) return;
    deps.onUnsendable(alone.report);
    alone.done('expired');
  }

  function stillWanted(): readonly OutboxEntry[] {
    return givenUp.size === 0 ? current : current.filter((entry) => !givenUp.has(entry));
  }

  /** A publish in flight cannot be cancelled: its reports are only reported as expired. */
  function giveUp(expired: (entry: OutboxEntry) => boolean): void {
    const late = stillWanted().filter(expired);
    if (late.length === 0) return;
    if (inFlight) for (const entry of late) givenUp.add(entry);
    else current = current.filter((entry) => !expired(entry));
    for (const entry of late) entry.done('expired');
  }

  return {
    push(entry: OutboxEntry): void {
      waiting.push(entry);
      flush();
    },
    /** Gives up expired reports. */
    expire(nowMs: number): void {
      const expired = (entry: OutboxEntry): boolean => entry.expiresAtMs <= nowMs;
      giveUp(expired);
      if (!waiting.some(expired)) return;
      const late = waiting.filter(expired);
      waiting = waiting.filter((entry) => !expired(entry));
      for (const entry of late) entry.done('expired');
    },
    /** The broker is connected again: retry now, before the backoff ends. */
    retryNow(): void {
      retry?.cancel();
      retry = undefined;
      flush();
    },
    size: () => waiting.length + current.length,
    close(): void {
      closed = true;
      retry?.cancel();
    },
  };
}

/** The number of the first entries that fit into one broker message; at least one. */
function batchSize(entries: readonly OutboxEntry[]): number {
  const max = Math.min(entries.length, MAX_BATCH);
  let characters = 0;
  for (let count = 0; count < max; count += 1) {
    const entry = entries[count];
    if (entry !== undefined) characters += charactersOf(entry.report);
    if (characters > MAX_BATCH_CHARACTERS) return Math.max(1, count);
  }
  return max;
}

/** Roughly the size of a report's frames in a broker message, and in memory until its confirm. */
export function charactersOf({ kind, raw, request, answer, certificates }: ReportEnvelope): number {
  // Only an outcome has its payload written beside its frame.
  const ofFrame = kind === 'outcome' ? 2 * raw.length : raw.length;
  const ofCertificates = certificates === undefined ? 0 : JSON.stringify(certificates).length;
  return ofFrame + (request?.length ?? 0) + (answer?.length ?? 0) + ofCertificates;
}
