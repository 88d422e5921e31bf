import type { Payload } from './charger-answers';
import type { Ask } from './charger-messages';

export interface TransactionInput {
  readonly transactionId: string;
  readonly eventType: 'Started' | 'Updated' | 'Ended';
  readonly seqNo: number;
  readonly triggerReason?: string;
  readonly timestamp?: string;
  /** Absent: the event carries no token. */
  readonly idToken?: string;
  readonly evse?: { readonly id: number; readonly connectorId?: number };
  /** Beside the transaction's id, as `chargingState`. */
  readonly transactionInfo?: Payload;
  /** The register of the energy in Wh. Absent: the event carries no meter value. */
  readonly energyWh?: number;
}

/** The messages of OCPP 2.0.1 and 2.1 that most scripts need, with what a plain charger would say where nothing else is given. */
export function chargerMessages2(ask: Ask) {
  return {
    boot: (chargingStation: Payload = {}, reason = 'PowerUp') =>
      ask('BootNotification', { reason, chargingStation: { ...STATION, ...chargingStation } }),
    status: (evseId: number, connectorId: number, connectorStatus: string, timestamp = now()) =>
      ask('StatusNotification', { evseId, connectorId, connectorStatus, timestamp }),
    authorize: (idToken: string, type = 'ISO14443') => ask('Authorize', { idToken: { idToken, type } }),
    transaction: (input: TransactionInput) => ask('TransactionEvent', transactionEvent(input)),
  };
}

const STATION = { vendorName: 'Example', model: 'Two sockets', serialNumber: 'EX-0002', firmwareVersion: '2.0.0' };

function transactionEvent({ transactionId, idToken, transactionInfo, energyWh, ...input }: TransactionInput): Payload {
  const { timestamp = now(), triggerReason = 'ChargingStateChanged', ...event } = input;
  const sampledValue = [{ value: energyWh, measurand: 'Energy.Active.Import.Register' }];
  return {
    ...event,
    timestamp,
    triggerReason,
    transactionInfo: { transactionId, ...transactionInfo },
    ...(idToken === undefined ? {} : { idToken: { idToken, type: 'ISO14443' } }),
    ...(energyWh === undefined ? {} : { meterValue: [{ timestamp, sampledValue }] }),
  };
}

function now(): string {
  return new Date().toISOString();
}
