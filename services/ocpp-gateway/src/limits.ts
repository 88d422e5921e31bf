// How long things are held and how much of it, while the broker or charger-state is away. Not settings: they belong together,
// and to what chargers do. Tests give their own.

export interface GatewayLimits {
  /** How long a call is held for a broker or store that is away before it is answered InternalError (rule 69). */
  readonly holdMs: number;
  /** Above either, reading from sockets stops; below half of both, it goes on. 20,000 frames of ordinary size are some 5 MB. */
  readonly maxUnconfirmed: number;
  /** Characters of frames. Values of a few bytes each take ten times as much in memory. */
  readonly maxUnconfirmedBytes: number;
  /** After so long an outage the sockets that had a message of a transaction refused are closed. */
  readonly longOutageMs: number;
}

export const LIMITS: GatewayLimits = {
  holdMs: 10_000,
  maxUnconfirmed: 20_000,
  maxUnconfirmedBytes: 16_777_216,
  longOutageMs: 60_000,
};
