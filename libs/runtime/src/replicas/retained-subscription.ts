// Keeps one subscription open while it is wanted, and retries whatever the broker refuses.
import type { Subscription } from '@busbar/broker';
import { backoff, messageOf, type Clock, type OutageReporter } from '@busbar/core';

export interface RetainedSubscriptionDeps {
  readonly what: string;
  readonly open: () => Promise<Subscription>;
  readonly clock: Clock;
  readonly outages: OutageReporter;
}

export type RetainedSubscription = ReturnType<typeof createRetainedSubscription>;

/** Between two tries. */
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

export function createRetainedSubscription({ what, open, clock, outages }: RetainedSubscriptionDeps) {
  let current: Subscription | undefined;
  let wanted = false;
  let stopped = true;
  let renewing = false;
  let moving: Promise<void> | undefined;
  let wake = (): void => undefined;

  const isWrong = (): boolean => !stopped && (wanted ? renewing || !current : current !== undefined);

  function follow(): void {
    if (stopped) return;
    wake();
    moving ??= new Promise<void>((resolve) => setImmediate(resolve)).then(move);
  }

  /** Never rejects. */
  async function move(): Promise<void> {
    const waits = backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
    while (isWrong()) {
      try {
        await step();
      } catch (error) {
        outages.report(what, messageOf(error), { err: error });
        // It may not be wanted any more.
        if (isWrong()) await pause(waits.next());
      }
    }
    outages.clear(what);
    // Reset first, so that a later change starts a new attempt.
    moving = undefined;
  }

  async function step(): Promise<void> {
    if (current) {
      await current.close();
      current = undefined;
    } else {
      current = await open();
    }
    renewing = false;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(ms, resolve);
      wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  return {
    /** Rejects when it cannot be opened the first time. */
    async start(): Promise<void> {
      [stopped, wanted, renewing] = [false, true, false];
      const opening = open().then((opened) => {
        current = opened;
      });
      moving = opening.catch(() => {
        [stopped, wanted] = [true, false];
      });
      await moving;
      moving = undefined;
      await opening;
      // Somebody may have changed their mind meanwhile.
      if (isWrong()) follow();
    },
    /**
     * Closes and opens it again, at the end of the broker's queue of consumers. Not from within a batch: that is
     * acknowledged first.
     */
    renew(): void {
      renewing = true;
      follow();
    },
    /** Sets whether it is wanted open. Takes effect later, with retries. */
    want(isWanted: boolean): void {
      wanted = isWanted;
      follow();
    },
    isOpen: () => current !== undefined && !renewing,
    async stop(): Promise<void> {
      if (stopped) return;
      stopped = true;
      wake();
      await moving;
      const last = current;
      current = undefined;
      await last?.close();
    },
  };
}
