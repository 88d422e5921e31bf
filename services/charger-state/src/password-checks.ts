// Hashing a password takes some milliseconds of a processor, by intent. Here a bounded number is hashed at once, and those
// of whom wrong ones came lately have a lane of their own, so that a guesser does not hold up the others.
import { createLane, type LaneLimits } from '@busbar/core';
import { matchesSecret } from '@busbar/domain';

export interface PasswordChecks {
  /** Whether these bytes are the secret behind the hash; `busy` when too many wait already. */
  check(secret: Buffer, hash: string, suspect: boolean): Promise<boolean | 'busy'>;
}

/** Node hashes four at a time; one of them is the suspects'. What waits is worked off before a gateway gives up. */
const LANES = { others: { atOnce: 3, mostWaiting: 1_000 }, suspects: { atOnce: 1, mostWaiting: 100 } };

/** `matches` is what takes so long. */
export function createPasswordChecks(
  limits: { others: LaneLimits; suspects: LaneLimits } = LANES,
  matches: (secret: Buffer, hash: string) => Promise<boolean> = matchesSecret,
): PasswordChecks {
  const others = createLane(limits.others);
  const suspects = createLane(limits.suspects);
  return {
    check: (secret, hash, suspect) => (suspect ? suspects : others)(() => matches(secret, hash)),
  };
}
