// The state that both APIs show for a connector of OCPP 2.x, of its status and the transaction there (rule 136). Both are stored
// apart and joined here, so that it does not matter which of them came first.
import type { ChargingState } from '@busbar/domain/chargers';

export interface ConnectorSituation {
  /** `connectorStatus` of the last status. Undefined: none was reported. */
  readonly status: string | undefined;
  /** The ongoing transaction there. */
  readonly transaction: TransactionSituation | undefined;
  /** A transaction there has ended since the connector became Occupied. */
  readonly endedSince: boolean;
}

export interface TransactionSituation {
  /** The last reported one. */
  readonly chargingState: string | undefined;
  /** Charging or suspended was reported before. */
  readonly wasEnergized: boolean;
}

const OCCUPIED = 'Occupied';
const BY_STATUS = new Map<string, ChargingState>([
  ['Available', 'Available'],
  ['Reserved', 'Reserved'],
  ['Unavailable', 'Unavailable'],
  ['Faulted', 'Error'],
]);
const BY_CHARGING_STATE = new Map<string, ChargingState>([
  ['Charging', 'Charging'],
  ['SuspendedEV', 'SuspendedCAR'],
  ['SuspendedEVSE', 'SuspendedCHARGER'],
]);

/** Undefined where nothing is known: no status and no transaction. A status that the standard does not have is Info. */
export function socketStateOf({ status, transaction, endedSince }: ConnectorSituation): ChargingState | undefined {
  if (status !== undefined && status !== OCCUPIED) return BY_STATUS.get(status) ?? 'Info';
  if (transaction !== undefined) return stateOfTransaction(transaction);
  if (status === undefined) return undefined;
  return endedSince ? 'Finishing' : 'Preparing';
}

function stateOfTransaction({ chargingState = '', wasEnergized }: TransactionSituation): ChargingState {
  return BY_CHARGING_STATE.get(chargingState) ?? (wasEnergized ? 'Finishing' : 'Preparing');
}
