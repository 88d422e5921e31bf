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

/** The state that the HTTP interface shows for a ChargePointStatus of 1.6. A vendor's own status is Info. */
export function stateOf(status: string): { readonly state: ChargingState; readonly unknownWord?: string } {
  const state = STATES.get(status);
  return state === undefined ? { state: 'Info', unknownWord: status } : { state };
}
