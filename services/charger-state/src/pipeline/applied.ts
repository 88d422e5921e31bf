import type { Position } from '@busbar/contracts';
import type { AppliedPosition, Charger } from '@busbar/domain/chargers';

/** Connections whose progress is remembered. An older one's late messages still make their rows, but change no record. */
const REMEMBERED = 8;

/**
 * The list with this position applied, or undefined when it was applied before. Within a connection messages come in order
 * of seq (its gateway has one queue), so one number a connection tells all.
 */
export function applyPosition(
  applied: readonly AppliedPosition[],
  { order, seq }: Position,
): readonly AppliedPosition[] | undefined {
  const at = applied.findIndex((entry) => entry.order >= order);
  const entry = applied[at];
  if (entry?.order === order) {
    if (entry.seq >= seq) return undefined;
    return applied.with(at, { order, seq });
  }
  if (at === 0 && applied.length >= REMEMBERED) return undefined;
  const place = at === -1 ? applied.length : at;
  return applied.toSpliced(place, 0, { order, seq }).slice(-REMEMBERED);
}

/**
 * The greatest order of which anything stands in the record: no message changes it, or what the charger holds, without having
 * its position here.
 */
export function lastOrderOf({ applied, connection, reported }: Charger): number {
  return Math.max(connection.position[0], reported.lastPosition[0], ...applied.map(({ order }) => order));
}
