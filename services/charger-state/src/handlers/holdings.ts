import type { Charger, ChargerHoldings } from '@busbar/domain';
import { applyPosition } from '../reports/applied';
import type { HandlerContext } from './handler';

/** What a charger may hold, as parts that a message changes. */
type Parts = Pick<ChargerHoldings, 'reservations' | 'profiles' | 'localList'>;

/**
 * Changes what the charger holds. `needs.holdings` must have named the charger. Holdings are written before the record that
 * says that this message was applied, so they say it themselves: done again, this one and those before it change nothing.
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
  const { applied = [] } = before;
  // Noted also where nothing changes: done again after others, it might change something.
  const to = { ...before, ...change(before), applied: applyPosition(applied, { order, seq }) ?? applied };
  lookups.putHoldings(to);
  if (at === -1) rows.holdings.push({ from, to });
  else rows.holdings[at] = { from, to };
}
