// When an endpoint that keeps failing is left alone. Pure: the caller has the time.

export interface Circuit {
  /** Failures since the last success. */
  readonly failures: number;
  /** Not asked until then, and afterwards by one request at a time. Null: closed. */
  readonly brokenUntilMs: number | null;
}

export const CLOSED_CIRCUIT: Circuit = { failures: 0, brokenUntilMs: null };

const MAX_FAILURES = 5;
const BROKEN_MS = 10_000;

/** `inFlight`: requests that have begun since the circuit broke and have not ended. */
export function mayAsk({ brokenUntilMs }: Circuit, nowMs: number, inFlight: number): boolean {
  if (brokenUntilMs === null) return true;
  return nowMs >= brokenUntilMs && inFlight === 0;
}

/** A failure while it is broken does not lengthen the break: one request at a time is little. */
export function afterRequest({ failures, brokenUntilMs }: Circuit, isSuccess: boolean, nowMs: number): Circuit {
  if (isSuccess) return CLOSED_CIRCUIT;
  const isBreaking = brokenUntilMs === null && failures + 1 >= MAX_FAILURES;
  return { failures: failures + 1, brokenUntilMs: isBreaking ? nowMs + BROKEN_MS : brokenUntilMs };
}
