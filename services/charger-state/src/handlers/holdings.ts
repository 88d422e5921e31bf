import type { Charger, ChargerHoldings } from '@busbar/domain';
import { applyPosition } from '../reports/applied';
import type { HandlerContext } from './handler';

/** What a charger may hold, as parts that a message changes. */
type Parts = Pick<ChargerHoldings, 'reservations' | 'profiles' | 'localList'>;

/**
 * Changes what the charger holds; nothing is written where the change gives the same objects back. `needs.holdings` must
 * have named the charger. Holdings are written before the record that says that this message was applied, so they say it
 * themselves: done again, this one and those before it change nothing.
 */
export function changeHoldings(
  charger: Charger,
  { lookups, rows, position: [order, seq] }: Pick<HandlerContext, 'lookups' | 'rows' | 'position'>,
  change: (holdings: ChargerHoldings) => Partial<Parts>,
): void {
  const before = lookups.holdings(charger);
  const at = rows.holdings.findIndex((row) => row.from.chargerId === charger.chargerId);
  const from = rows.holdings[at]?.from ?? before;
  // By what was read, since one message may change them twice.
  if (applyPosition(from.applied ?? [], { order, seq }) === undefined) return;
  const { reservations, profiles, localList, applied = [] } = before;
  const changed: ChargerHoldings = { ...before, ...change(before) };
  if (changed.reservations === reservations && changed.profiles === profiles && changed.localList === localList) return;
  const to = { ...changed, applied: applyPosition(applied, { order, seq }) ?? applied };
  lookups.putHoldings(to);
  if (at === -1) rows.holdings.push({ from, to });
  else rows.holdings[at] = { from, to };
}
