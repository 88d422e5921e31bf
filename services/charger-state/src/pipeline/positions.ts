import type { Position } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';

/** Connections whose position is stored. Late messages of an older one still add rows, but change no record. */
const REMEMBERED = 8;

/**
 * The list with this position applied, or undefined when it was applied before. Within a connection messages arrive in
 * order of seq, so one number a connection is enough.
 */
export function applyPosition(applied: readonly Position[], position: Position): readonly Position[] | undefined {
  const [order, seq] = position;
  const at = applied.findIndex(([known]) => known >= order);
  const entry = applied[at];
  if (entry?.[0] === order) {
    if (entry[1] >= seq) return undefined;
    return applied.with(at, position);
  }
  if (at === 0 && applied.length >= REMEMBERED) return undefined;
  const place = at === -1 ? applied.length : at;
  return applied.toSpliced(place, 0, position).slice(-REMEMBERED);
}

/** The greatest order in the record: no message changes the record or the device state without its position here. */
export function lastOrderOf({ applied, connection, reported }: Charger): number {
  return Math.max(connection.position[0], reported.lastPosition[0], ...applied.map(([order]) => order));
}
