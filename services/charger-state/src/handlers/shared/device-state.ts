// Changes of the documents beside a charger's record: its device state, its device model and its event streams. They are written before
// the record and contain the applied positions themselves, so a repeated message changes nothing.
import type { Position } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import type { DeviceModel } from '@busbar/domain/device-model';
import type { DeviceState, EventStreams } from '@busbar/domain/device-state';
import { applyPosition } from '../../pipeline/positions';
import type { HandlerContext } from '../../pipeline/contract';

type Context = Pick<HandlerContext, 'lookups' | 'rows' | 'position'>;

/** The parts of the device state that a message changes. */
type Parts = Pick<
  DeviceState,
  'reservations' | 'profiles' | 'localList' | 'certificates' | 'displayMessages' | 'monitors'
>;

/** Changes the device state, for which `needs.deviceStates` must have named the charger. */
export function changeDeviceState(
  charger: Charger,
  { lookups, rows, position }: Context,
  change: (deviceStates: DeviceState) => Partial<Parts>,
): void {
  const before = lookups.deviceStates(charger);
  const to = changeDocument(rows.deviceStates, position, before, (each) => ({ ...each, ...change(each) }));
  if (to !== undefined) lookups.putDeviceState(to);
}

/** Changes the device model; false where the batch has not read it (`needs.deviceModel`). */
export function changeDeviceModel(
  charger: Charger,
  { lookups, rows, position }: Context,
  change: (model: DeviceModel) => DeviceModel,
): boolean {
  const before = lookups.deviceModel(charger);
  if (before === undefined) return false;
  const to = changeDocument(rows.deviceModels, position, before, change);
  if (to !== undefined) lookups.putDeviceModel(to);
  return true;
}

/** Changes the event streams, for which `needs.eventStreams` must have named the charger. */
export function changeEventStreams(
  charger: Charger,
  { lookups, rows, position }: Context,
  change: (streams: EventStreams) => EventStreams,
): void {
  const to = changeDocument(rows.eventStreams, position, lookups.eventStreams(charger), change);
  if (to !== undefined) lookups.putEventStreams(to);
}

interface OwnDocument {
  readonly chargerId: string;
  readonly applied?: readonly Position[];
}

/** `before`: as the batch has changed it. Undefined for a message that the document contains already. */
function changeDocument<T extends OwnDocument>(
  changes: { from: T; to: T }[],
  position: Position,
  before: T,
  change: (document: T) => T,
): T | undefined {
  const at = changes.findIndex(({ from }) => from.chargerId === before.chargerId);
  const from = changes[at]?.from ?? before;
  // Compared with what was read, since one message may change it twice.
  if (applyPosition(from.applied ?? [], position) === undefined) return undefined;
  const { applied = [] } = before;
  // The position is stored also without a change: repeated after later messages, this one might change something.
  const to = { ...change(before), applied: applyPosition(applied, position) ?? applied };
  if (at === -1) changes.push({ from, to });
  else changes[at] = { from, to };
  return to;
}
