import type { Charger } from '@busbar/domain/chargers';
import type { DeviceState } from '@busbar/domain/device-state';
import { applyPosition } from '../../pipeline/positions';
import type { HandlerContext } from '../../pipeline/contract';

/** The parts of the device state that a message changes. */
type Parts = Pick<DeviceState, 'reservations' | 'profiles' | 'localList' | 'certificates'>;

/**
 * Changes the device state, for which `needs.deviceStates` must have named the charger. It is written before the record
 * and contains the applied positions itself, so a repeated message changes nothing.
 */
export function changeDeviceState(
  charger: Charger,
  { lookups, rows, position }: Pick<HandlerContext, 'lookups' | 'rows' | 'position'>,
  change: (deviceStates: DeviceState) => Partial<Parts>,
): void {
  const before = lookups.deviceStates(charger);
  const at = rows.deviceStates.findIndex((row) => row.from.chargerId === charger.chargerId);
  const from = rows.deviceStates[at]?.from ?? before;
  // Compared with what was read, since one message may change it twice.
  if (applyPosition(from.applied ?? [], position) === undefined) return;
  const { applied = [] } = before;
  // The position is stored also without a change: repeated after later messages, this one might change something.
  const to = { ...before, ...change(before), applied: applyPosition(applied, position) ?? applied };
  lookups.putDeviceState(to);
  if (at === -1) rows.deviceStates.push({ from, to });
  else rows.deviceStates[at] = { from, to };
}
