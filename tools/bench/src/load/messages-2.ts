// The texts of a load of OCPP 2.0.1 or 2.1, which are the same: each charger boots, then sends what is measured.
export const ACTIONS_2 = ['StatusNotification', 'TransactionEvent'] as const;
export type Action2 = (typeof ACTIONS_2)[number];

export const VERSIONS_2 = ['ocpp2.0.1', 'ocpp2.1'] as const;
export type Version2 = (typeof VERSIONS_2)[number];

export interface Step {
  readonly messageId: string;
  /** Differs between runs: no two messages of a charger have the same content, or they would be one. */
  readonly n: number;
  /** The place of the message among those of one charger in one run, from 0. */
  readonly index: number;
  /** One name for each run. Transactions are named after it. */
  readonly run: string;
}

/** A CALL of both versions: BootNotification first, and the start of a transaction before its updates, which are numbered without gap. */
export function callText2(action: Action2, step: Step): string {
  const at = new Date().toISOString();
  if (step.index === 0) return callOf(step, 'BootNotification', BOOT);
  if (action === 'StatusNotification') return callOf(step, action, statusText(step.n, at));
  return callOf(step, action, eventText(step, at));
}

const BOOT = '{"reason":"PowerUp","chargingStation":{"model":"Bench","vendorName":"Bench"}}';

function callOf({ messageId }: Step, action: string, payload: string): string {
  return `[2,"${messageId}","${action}",${payload}]`;
}

function statusText(n: number, at: string): string {
  const status = n % 2 === 0 ? 'Available' : 'Occupied';
  return `{"timestamp":"${at}","connectorStatus":"${status}","evseId":${String(1 + (n % 2))},"connectorId":1}`;
}

/** Five samples of one moment, as in the MeterValues of the load of 1.6. */
function eventText({ n, index, run }: Step, at: string): string {
  const seqNo = index - 1;
  const [eventType, triggerReason] = seqNo === 0 ? ['Started', 'CablePluggedIn'] : ['Updated', 'MeterValuePeriodic'];
  const samples = [
    sample(1_000_000 + n, 'Energy.Active.Import.Register', 'Wh'),
    sample(7360.5, 'Power.Active.Import', 'W'),
    sample(16, 'Current.Import', 'A', 'L1'),
    sample(230.1, 'Voltage', 'V', 'L1-N'),
    sample(57, 'SoC', 'Percent'),
  ];
  const parts = [
    `"eventType":"${eventType}","timestamp":"${at}","triggerReason":"${triggerReason}","seqNo":${String(seqNo)}`,
    `"transactionInfo":{"transactionId":"${run}","chargingState":"Charging"},"evse":{"id":1,"connectorId":1}`,
    `"meterValue":[{"timestamp":"${at}","sampledValue":[${samples.join(',')}]}]`,
  ];
  return `{${parts.join(',')}}`;
}

function sample(value: number, measurand: string, unit: string, phase?: string): string {
  const shown = phase === undefined ? '' : `,"phase":"${phase}"`;
  const measured = `"measurand":"${measurand}"${shown},"unitOfMeasure":{"unit":"${unit}"}`;
  return `{"value":${String(value)},"context":"Sample.Periodic",${measured}}`;
}
