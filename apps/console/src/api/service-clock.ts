// The service's clock. The reader's own may be wrong by minutes, and what happens at chargers has the service's time.

export interface ServiceClock {
  /** Takes the `Date` of a response that has just arrived; ignores one that is missing or unreadable. */
  note(date: string | null): void;
  /** Milliseconds since 1970, right to about half a second once a response has arrived. */
  now(): number;
}

/** Half of the second to which `Date` is cut (RFC 9110 clause 5.6.7). */
const CUT_MS = 500;

/** `readersNow`: the reader's clock, in milliseconds since 1970. */
export function createServiceClock(readersNow: () => number): ServiceClock {
  let aheadMs = 0;
  return {
    note(date) {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) aheadMs = at + CUT_MS - readersNow();
    },
    now: () => readersNow() + aheadMs,
  };
}

export const serviceClock = createServiceClock(() => Date.now());
