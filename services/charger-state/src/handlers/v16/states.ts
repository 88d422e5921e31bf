import type { ChargingState } from '@busbar/domain/chargers';

const STATES = new Map<string, ChargingState>([
  ['Available', 'Available'],
  ['Preparing', 'Preparing'],
  ['Charging', 'Charging'],
  ['SuspendedEV', 'SuspendedCAR'],
  ['SuspendedEVSE', 'SuspendedCHARGER'],
  ['Finishing', 'Finishing'],
  ['Reserved', 'Reserved'],
  ['Unavailable', 'Unavailable'],
  ['Faulted', 'Error'],
]);

/** A ChargePointStatus of 1.6 in the words of the HTTP interface; a vendor's own word shows as Info. */
export function stateOf(status: string): { readonly state: ChargingState; readonly unknownWord?: string } {
  const state = STATES.get(status);
  return state === undefined ? { state: 'Info', unknownWord: status } : { state };
}
