import type { Charger } from '@busbar/domain/chargers';
import type { DeviceState } from '@busbar/domain/device-state';
import { applyPosition } from '../../pipeline/positions';
import type { HandlerContext } from '../../pipeline/contract';

/** What a charger may hold, as parts that a message changes. */
type Parts = Pick<DeviceState, 'reservations' | 'profiles' | 'localList'>;

/**
 * Changes what the charger holds. `needs.holdings` must have named the charger. Holdings are written before the record that
 * says that this message was applied, so they say it themselves: done again, this one and those before it change nothing.
 */
export function changeDeviceState(
  charger: Charger,
  { lookups, rows, position }: Pick<HandlerContext, 'lookups' | 'rows' | 'position'>,
  change: (deviceStates: DeviceState) => Partial<Parts>,
): void {
  const before = lookups.deviceStates(charger);
  const at = rows.deviceStates.findIndex((row) => row.from.chargerId === charger.chargerId);
  const from = rows.deviceStates[at]?.from ?? before;
  // By what was read, since one message may change them twice.
  if (applyPosition(from.applied ?? [], position) === undefined) return;
  const { applied = [] } = before;
  // Noted also where nothing changes: done again after others, it might change something.
  const to = { ...before, ...change(before), applied: applyPosition(applied, position) ?? applied };
  lookups.putDeviceState(to);
  if (at === -1) rows.deviceStates.push({ from, to });
  else rows.deviceStates[at] = { from, to };
}
