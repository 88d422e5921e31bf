export { callCharger } from './call-charger';
export type { CallChargerDeps, ChargerCommand, ChargerOwner, Encode, EncodedCall } from './call-charger';
export type {
  LinkOutcome,
  ChargerAddress,
  ChargerCall,
  ChargerLink,
  CloseReason,
  ConnectionToClose,
} from './charger-link';
export type { CommandEnd, CommandOutcome, CommandReader, CommandRecord, CommandWriter } from './command-record';
export { readCommand } from './read-command';
export type { Commanded, RecordCommandDeps } from './record-command';
export { TAG_ERRORS, startCharging, tagCheck } from './start-charging';
export type { StartChargingInput } from './start-charging';
export { stopTransaction } from './stop-transaction';
export type { StopTransactionDeps } from './stop-transaction';
export { transferAction, transferStepOf } from './transfer';
export type { TransferKind, TransferProgress, TransferRequest, TransferStep } from './transfer';
