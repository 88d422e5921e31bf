// Limits of the gateway while the broker or charger-state is unavailable: amounts and times. These are no settings:
// they depend on each other and on the behaviour of chargers.

export type GatewayLimits = Readonly<typeof LIMITS>;

export const LIMITS = {
  /** The time that a call waits for an unavailable broker or store before it is answered InternalError (rule 69). */
  holdMs: 10_000,
  /** Above either limit, reading from sockets pauses; below half of both, it resumes. 20,000 usual frames take about 5 MB. */
  maxUnconfirmed: 20_000,
  /** Characters of frames. Frames with many small values take ten times as much memory. */
  maxUnconfirmedCharacters: 16_777_216,
  /** After an outage of this length the gateway closes sockets that had a transaction message refused. */
  longOutageMs: 60_000,
};
