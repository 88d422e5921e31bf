import { randomInt } from 'node:crypto';

/** What a reservation, an upload or an update is known by at the charger: positive, 31 bits, not given twice but by chance. */
export function newRequestId(): number {
  return randomInt(1, 2 ** 31);
}
