// When a record last changed, for lists of what changed since. ADR 24 has the rules.
import type { Clock } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { Update } from '../port';

/** The time of a write, taken immediately before it. */
export type Now = () => Timestamp;

export function timeOf(clock: Clock): Now {
  return () => toTimestamp(clock.now());
}

/** Part of an update that changes what the record shows. The time never decreases, whatever the writers' clocks are. */
export function changedAt(at: Timestamp): Pick<Update, 'max'> {
  return { max: { updatedAt: at } };
}
