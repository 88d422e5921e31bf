import { randomInt } from 'node:crypto';

/** A random positive number of 31 bits that identifies a reservation, upload or update at the charger. */
export function newRequestId(): number {
  return randomInt(1, 2 ** 31);
}
