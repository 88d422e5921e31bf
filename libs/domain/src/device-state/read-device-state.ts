import type { Charger, ChargerReader } from '../chargers/charger';
import type { HistoryReader } from '../history/history';
import type { DeviceState, DeviceStateReader } from './device-state';
import { transferAction, transferStepOf, type TransferKind, type TransferStep } from '../commands/transfer';
import { readOwnedCharger } from '../chargers/owned-charger';

export interface ReadDeviceStateDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly deviceStates: DeviceStateReader;
}

export interface ReadTransfersDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly history: Pick<HistoryReader, 'events'>;
}

/** The number of steps shown. */
const MAX_STEPS = 100;

/** The charger's device state. Throws `not_found` when the charger is unknown or another client's. */
export async function readDeviceState(
  deps: ReadDeviceStateDeps,
  clientId: string,
  chargerId: string,
): Promise<{ readonly charger: Charger; readonly deviceStates: DeviceState }> {
  const charger = await readOwnedCharger(deps, { clientId, chargerId });
  return { charger, deviceStates: await deps.deviceStates.read(charger) };
}

/**
 * The last hundred steps of the charger's uploads and downloads, newest first. Throws `not_found` when the charger is
 * unknown or another client's.
 */
export async function readTransfers(
  deps: ReadTransfersDeps,
  owner: { readonly clientId: string; readonly chargerId: string },
  kinds: readonly TransferKind[],
): Promise<{ readonly charger: Charger; readonly steps: readonly TransferStep[] }> {
  const charger = await readOwnedCharger(deps, owner);
  const actions = kinds.flatMap((kind) => [transferAction(kind, 'requested'), transferAction(kind, 'progressed')]);
  const events = await deps.history.events(charger, actions, MAX_STEPS);
  return { charger, steps: events.flatMap((event) => transferStepOf(event) ?? []) };
}
