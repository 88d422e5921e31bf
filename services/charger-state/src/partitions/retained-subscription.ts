// One subscription that is open for as long as it is wanted, whatever the broker refuses meanwhile: nobody else would notice
// that it is missing.
import type { Subscription } from '@busbar/broker';
import { backoff, type Clock, type OutageReporter } from '@busbar/core';

export interface RetainedSubscriptionDeps {
  readonly what: string;
  readonly open: () => Promise<Subscription>;
  readonly clock: Clock;
  readonly outages: OutageReporter;
}

export interface RetainedSubscription {
  /** Rejects when it cannot be opened the first time. */
  start(): Promise<void>;
  /** Closes it and opens it again, behind all others who wait. Never from within a batch: that is acknowledged first. */
  renew(): void;
  /** Whether it is wanted open. Follows in its own time, and tries until it has. */
  want(open: boolean): void;
  isOpen(): boolean;
  stop(): Promise<void>;
}

/** Between two tries. */
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

export function createRetainedSubscription({
  what,
  open,
  clock,
  outages,
}: RetainedSubscriptionDeps): RetainedSubscription {
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
        outages.report(what, error instanceof Error ? error.message : String(error), { err: error });
        // Nobody may want it any more.
        if (isWrong()) await pause(waits.next());
      }
    }
    outages.clear(what);
    // At once, so that whoever changes its mind from here on begins anew.
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
    async start() {
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
    renew() {
      renewing = true;
      follow();
    },
    want(isWanted) {
      wanted = isWanted;
      follow();
    },
    isOpen: () => current !== undefined && !renewing,
    async stop() {
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
