// Hashing a password takes some milliseconds of a processor, by intent. Here a bounded number is hashed at once, and those
// of whom wrong ones came lately have a lane of their own, so that a guesser does not hold up the others.
import { createConcurrencyLimiter, type ConcurrencyLimits } from '@busbar/core';
import { matchesSecret } from '@busbar/domain';

export interface PasswordChecks {
  /** Whether these bytes are the secret behind the hash; `busy` when too many wait already. */
  check(secret: Buffer, hash: string, suspect: boolean): Promise<boolean | 'busy'>;
}

/** Node hashes four at a time; one of them is the suspects'. What waits is worked off before a gateway gives up. */
const LIMITERS = { others: { concurrency: 3, maxQueue: 1_000 }, suspects: { concurrency: 1, maxQueue: 100 } };

/** `matches` is what takes so long. */
export function createPasswordChecks(
  limits: { others: ConcurrencyLimits; suspects: ConcurrencyLimits } = LIMITERS,
  matches: (secret: Buffer, hash: string) => Promise<boolean> = matchesSecret,
): PasswordChecks {
  const others = createConcurrencyLimiter(limits.others);
  const suspects = createConcurrencyLimiter(limits.suspects);
  return {
    check: (secret, hash, suspect) => (suspect ? suspects : others).run(() => matches(secret, hash)),
  };
}
