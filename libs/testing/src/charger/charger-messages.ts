import type { Payload } from './charger-answers';

/** The function of a charger that the helpers need: a CALL that must be answered with a result. */
export type Ask = (action: string, payload: Payload) => Promise<Payload>;

export interface StartInput {
  readonly connectorId?: number;
  readonly idTag?: string;
  readonly meterStart?: number;
  readonly timestamp?: string;
}

export interface StopInput {
  readonly transactionId: number;
  readonly meterStop?: number;
  readonly timestamp?: string;
  readonly reason?: string;
}

export interface MeterInput {
  readonly connectorId?: number;
  readonly transactionId?: number;
  readonly energyWh: number;
  readonly powerW?: number;
  readonly timestamp?: string;
}

/** The messages that most scripts need, with what a plain charger would say where nothing else is given. */
export function chargerMessages(ask: Ask) {
  return {
    boot: (over: Payload = {}) =>
      ask('BootNotification', {
        chargePointVendor: 'Example',
        chargePointModel: 'Two sockets',
        chargePointSerialNumber: 'EX-0001',
        firmwareVersion: '1.0.0',
        ...over,
      }),
    heartbeat: () => ask('Heartbeat', {}),
    status: (connectorId: number, status: string, over: Payload = {}) =>
      ask('StatusNotification', { connectorId, status, errorCode: 'NoError', timestamp: now(), ...over }),
    authorize: (idTag: string) => ask('Authorize', { idTag }),
    start: ({ connectorId = 1, idTag = 'TAG-1', meterStart = 0, timestamp = now() }: StartInput = {}) =>
      ask('StartTransaction', { connectorId, idTag, meterStart, timestamp }),
    stop: ({ transactionId, meterStop = 1000, timestamp = now(), ...rest }: StopInput) =>
      ask('StopTransaction', { transactionId, meterStop, timestamp, ...rest }),
    meter: ({ connectorId = 1, energyWh, powerW, timestamp = now(), ...rest }: MeterInput) =>
      ask('MeterValues', {
        connectorId,
        ...rest,
        meterValue: [{ timestamp, sampledValue: samples(energyWh, powerW) }],
      }),
  };
}

function samples(energyWh: number, powerW: number | undefined): Payload[] {
  const energy = { value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' };
  if (powerW === undefined) return [energy];
  return [energy, { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' }];
}

function now(): string {
  return new Date().toISOString();
}
