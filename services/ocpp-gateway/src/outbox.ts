// One partition's line to the broker: everything of the partition goes through it in order, one publish outstanding at a
// time. What comes meanwhile goes out together as the next one, so batches are made by the broker's own pace, not a timer.
import type { Broker, PublishFailure } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import type { Backoff, Clock } from '@busbar/core';

export type Settled = 'confirmed' | 'expired';

export interface OutboxEntry {
  readonly report: ReportEnvelope;
  /** Monotonic milliseconds after which nobody waits for it any more; never for what must not be lost. */
  readonly expiresAtMs?: number;
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
}

/** Reports in one broker message: the consumer writes about as many at a time. */
const MOST_IN_ONE = 200;

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
      current = waiting.length <= MOST_IN_ONE ? waiting : waiting.slice(0, MOST_IN_ONE);
      waiting = waiting.length <= MOST_IN_ONE ? [] : waiting.slice(MOST_IN_ONE);
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
    deps.onFailure(failure);
    retry = deps.clock.after(deps.backoff.next(), () => {
      retry = undefined;
      flush();
    });
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
      const expired = (entry: OutboxEntry): boolean => entry.expiresAtMs !== undefined && entry.expiresAtMs <= nowMs;
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
