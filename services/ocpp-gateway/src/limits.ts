// Limits of the gateway while the broker or charger-state is unavailable: amounts and times. These are no settings:
// they depend on each other and on the behaviour of chargers.

export interface GatewayLimits {
  /** The time that a call waits for an unavailable broker or store before it is answered InternalError (rule 69). */
  readonly holdMs: number;
  /** Above either limit, reading from sockets pauses; below half of both, it resumes. 20,000 usual frames take about 5 MB. */
  readonly maxUnconfirmed: number;
  /** Characters of frames. Frames with many small values take ten times as much memory. */
  readonly maxUnconfirmedBytes: number;
  /** After an outage of this length the gateway closes sockets that had a transaction message rejected. */
  readonly longOutageMs: number;
}

export const LIMITS: GatewayLimits = {
  holdMs: 10_000,
  maxUnconfirmed: 20_000,
  maxUnconfirmedBytes: 16_777_216,
  longOutageMs: 60_000,
};
