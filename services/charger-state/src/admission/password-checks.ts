// Hashing a password costs milliseconds of a processor, by intent. A limited number is hashed at the same time, and suspects
// have a queue of their own, so that brute force does not delay others.
import { createConcurrencyLimiter, type ConcurrencyLimits } from '@busbar/core';
import { matchesSecret } from '@busbar/domain';

export type PasswordChecks = ReturnType<typeof createPasswordChecks>;

/** Node hashes four at a time; one of them is for suspects. The queues drain before a gateway times out. */
const LIMITERS = { others: { concurrency: 3, maxQueue: 1_000 }, suspects: { concurrency: 1, maxQueue: 100 } };

/** `matches` computes the hash. */
export function createPasswordChecks(
  limits: { others: ConcurrencyLimits; suspects: ConcurrencyLimits } = LIMITERS,
  matches: (secret: Buffer, hash: string) => Promise<boolean> = matchesSecret,
) {
  const others = createConcurrencyLimiter(limits.others);
  const suspects = createConcurrencyLimiter(limits.suspects);
  return {
    /** Returns whether these bytes are the secret behind the hash; `busy` when the queue is full. */
    check: (secret: Buffer, hash: string, suspect: boolean) =>
      (suspect ? suspects : others).run(() => matches(secret, hash)),
  };
}
