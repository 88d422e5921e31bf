// One partition's line to the broker: everything of the partition goes through it in order, one publish outstanding at a
// time. What comes meanwhile goes out together as the next one, so batches are made by the broker's own pace, not a timer.
import type { Broker, PublishFailure } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import type { Backoff, Clock } from '@busbar/core';

export type Settled = 'confirmed' | 'expired';

export interface OutboxEntry {
  readonly report: ReportEnvelope;
  /** Monotonic milliseconds after which nobody waits for it any more; Infinity for what must not be lost. */
  readonly expiresAtMs: number;
  readonly done: (settled: Settled) => void;
}

export interface Outbox {
  push(entry: OutboxEntry): void;
  /** Gives up what has expired. */
  expire(nowMs: number): void;
  /** The connection is back: try now instead of after the wait. */
  retryNow(): void;
  size(): number;
  close(): void;
}

export interface OutboxDeps {
  readonly broker: Pick<Broker, 'enqueue'>;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly onFailure: (failure: PublishFailure) => void;
  /** One that the broker can never take by itself; the line goes on without it, and its `done` hears `expired`. */
  readonly onUnsendable: (report: ReportEnvelope) => void;
}

/** Reports in one broker message: the consumer writes about as many at a time. */
const MAX_BATCH = 200;
/**
 * Characters of frames in one broker message: a replica fetches twenty messages of each partition ahead. As UTF-8 in JSON
 * frames grow, by two or three at the worst; one that is larger than RabbitMQ takes (16 MiB) is halved until it goes.
 */
const MAX_BATCH_CHARACTERS = 500_000;

export function createOutbox(partition: number, deps: OutboxDeps): Outbox {
  let waiting: OutboxEntry[] = [];
  /** What the outstanding (or to be repeated) publish holds; repeated as it is until confirmed, since it may be in already. */
  let current: readonly OutboxEntry[] = [];
  let outstanding = false;
  /** Of the outstanding publish: told as expired already. They may be in all the same; whoever asked sends them again. */
  const givenUp = new Set<OutboxEntry>();
  let retry: { cancel(): void } | undefined;
  let closed = false;

  function flush(): void {
    if (outstanding || closed || retry !== undefined) return;
    if (current.length === 0) {
      if (waiting.length === 0) return;
      const count = batchSize(waiting);
      current = waiting.length === count ? waiting : waiting.slice(0, count);
      waiting = waiting.length === count ? [] : waiting.slice(count);
    }
    outstanding = true;
    deps.broker.enqueue(channels.reports, partition, { reports: current.map((entry) => entry.report) }, onConfirm);
  }

  function onConfirm(failure?: PublishFailure): void {
    outstanding = false;
    if (failure === undefined) {
      const confirmed = waitedFor();
      current = [];
      givenUp.clear();
      deps.backoff.reset();
      // The next batch leaves first: the answers of this one are written while it is under way.
      flush();
      for (const entry of confirmed) entry.done('confirmed');
      return;
    }
    if (closed) return;
    current = waitedFor();
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

  /** The broker can never take `current` as it is: a half of it goes by itself, and one that is alone is given up. */
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

  function waitedFor(): readonly OutboxEntry[] {
    return givenUp.size === 0 ? current : current.filter((entry) => !givenUp.has(entry));
  }

  /** What the broker has in its hands can only be told of, not taken back. */
  function giveUp(expired: (entry: OutboxEntry) => boolean): void {
    const late = waitedFor().filter(expired);
    if (late.length === 0) return;
    if (outstanding) for (const entry of late) givenUp.add(entry);
    else current = current.filter((entry) => !expired(entry));
    for (const entry of late) entry.done('expired');
  }

  return {
    push(entry) {
      waiting.push(entry);
      flush();
    },
    expire(nowMs) {
      const expired = (entry: OutboxEntry): boolean => entry.expiresAtMs <= nowMs;
      giveUp(expired);
      if (!waiting.some(expired)) return;
      const late = waiting.filter(expired);
      waiting = waiting.filter((entry) => !expired(entry));
      for (const entry of late) entry.done('expired');
    },
    retryNow() {
      retry?.cancel();
      retry = undefined;
      flush();
    },
    size: () => waiting.length + current.length,
    close() {
      closed = true;
      retry?.cancel();
    },
  };
}

/** How many of the first fit into one broker message; at least one. */
function batchSize(entries: readonly OutboxEntry[]): number {
  const most = Math.min(entries.length, MAX_BATCH);
  let characters = 0;
  for (let count = 0; count < most; count += 1) {
    const entry = entries[count];
    if (entry !== undefined) characters += charactersOf(entry.report);
    if (characters > MAX_BATCH_CHARACTERS) return Math.max(1, count);
  }
  return most;
}

/** About what the frames of a report take in a broker message, and in memory until it is confirmed. */
export function charactersOf({ kind, raw, request, answer }: ReportEnvelope): number {
  // The payload of an outcome is written beside the frame that it came in; a CALL's is not.
  const ofFrame = kind === 'outcome' ? 2 * raw.length : raw.length;
  return ofFrame + (request?.length ?? 0) + (answer?.length ?? 0);
}
