// The texts of a load of OCPP 1.6.
export const ACTIONS = ['Heartbeat', 'StatusNotification', 'MeterValues'] as const;
export type Action = (typeof ACTIONS)[number];

/** A CALL of OCPP 1.6. `n` counts the CALLs of one charger: no two have the same content, or they would be one. */
export function callText(action: Action, messageId: string, n: number): string {
  return `[2,"${messageId}","${action}",${payloadText(action, n)}]`;
}

/** `at`: what a reader will find as the time of the status. */
export function statusCall(messageId: string, n: number, at: string): string {
  return `[2,"${messageId}","StatusNotification",${statusText(n, at)}]`;
}

function payloadText(action: Action, n: number): string {
  switch (action) {
    case 'Heartbeat':
      return '{}';
    case 'StatusNotification':
      return statusText(n, new Date().toISOString());
    case 'MeterValues':
      return meterValuesText(n, new Date().toISOString());
  }
}

function statusText(n: number, at: string): string {
  const status = n % 2 === 0 ? 'Available' : 'Preparing';
  return `{"connectorId":${String(1 + (n % 2))},"errorCode":"NoError","status":"${status}","timestamp":"${at}"}`;
}

/** Five samples of one moment, as a charger sends them in the middle of a session. */
function meterValuesText(n: number, at: string): string {
  const samples = [
    sample(String(1_000_000 + n), 'Energy.Active.Import.Register', 'Wh'),
    sample('7360.5', 'Power.Active.Import', 'W'),
    sample('16.0', 'Current.Import', 'A', 'L1'),
    sample('230.1', 'Voltage', 'V', 'L1-N'),
    sample('57', 'SoC', 'Percent'),
  ];
  return `{"connectorId":1,"meterValue":[{"timestamp":"${at}","sampledValue":[${samples.join(',')}]}]}`;
}

function sample(value: string, measurand: string, unit: string, phase?: string): string {
  const shown = phase === undefined ? '' : `,"phase":"${phase}"`;
  return `{"value":"${value}","context":"Sample.Periodic","measurand":"${measurand}","unit":"${unit}"${shown}}`;
}
