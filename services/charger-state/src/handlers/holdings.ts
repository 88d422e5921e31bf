import type { Charger, ChargerHoldings } from '@busbar/domain';
import type { HandlerContext } from './handler';

/** What a charger may hold, as parts that a message changes. */
type Parts = Pick<ChargerHoldings, 'reservations' | 'profiles' | 'localList'>;

/**
 * Changes what the charger holds; nothing is written where the change gives the same objects back. `needs.holdings` must
 * have named the charger. Holdings are written before the record that says that this message was applied, so a change must
 * itself tell by position that it was made before.
 */
export function changeHoldings(
  charger: Charger,
  { lookups, rows }: Pick<HandlerContext, 'lookups' | 'rows'>,
  change: (holdings: ChargerHoldings) => Partial<Parts>,
): void {
  const before = lookups.holdings(charger);
  const to: ChargerHoldings = { ...before, ...change(before) };
  const { reservations, profiles, localList } = before;
  if (to.reservations === reservations && to.profiles === profiles && to.localList === localList) return;
  lookups.putHoldings(to);
  const at = rows.holdings.findIndex((row) => row.from.chargerId === charger.chargerId);
  const row = rows.holdings[at];
  if (row === undefined) rows.holdings.push({ from: before, to });
  else rows.holdings[at] = { from: row.from, to };
}
