import type { Charger, ChargerReader } from '../charger';
import type { HistoryReader } from '../history';
import type { ChargerHoldings, HoldingsReader } from '../holdings/charger-holdings';
import { transferAction, transferStepOf, type TransferKind, type TransferStep } from '../transfer';
import { readOwnedCharger } from './owned-charger';

export interface ReadHoldingsDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly holdings: HoldingsReader;
}

export interface ReadTransfersDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly history: Pick<HistoryReader, 'events'>;
}

/** Steps shown at a time. */
const MOST_STEPS = 100;

/** What a charger was told to hold and accepted. Throws `not_found` when it is unknown or another client's. */
export async function readHoldings(
  deps: ReadHoldingsDeps,
  clientId: string,
  chargerId: string,
): Promise<{ readonly charger: Charger; readonly holdings: ChargerHoldings }> {
  const charger = await readOwnedCharger(deps, { clientId, chargerId });
  return { charger, holdings: await deps.holdings.read(charger) };
}

/**
 * What a charger was asked to load up or down and what it told of it, newest first, the last hundred steps. Throws
 * `not_found` when it is unknown or another client's.
 */
export async function readTransfers(
  deps: ReadTransfersDeps,
  owner: { readonly clientId: string; readonly chargerId: string },
  kinds: readonly TransferKind[],
): Promise<{ readonly charger: Charger; readonly steps: readonly TransferStep[] }> {
  const charger = await readOwnedCharger(deps, owner);
  const actions = kinds.flatMap((kind) => [transferAction(kind, 'requested'), transferAction(kind, 'progressed')]);
  const events = await deps.history.events(charger, actions, MOST_STEPS);
  return { charger, steps: events.flatMap((event) => transferStepOf(event) ?? []) };
}
