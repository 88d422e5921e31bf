// THE table of OCPP 1.6 actions, security extension included: who may send each, and who answers a charger's.
import type { Action } from '../action';

type Reply = (now: Date) => Readonly<Record<string, unknown>>;

const nothing: Reply = () => ({});

const TABLE: readonly Action[] = [
  report('Heartbeat', (now) => ({ currentTime: now.toISOString() })),
  report('StatusNotification'),
  report('MeterValues'),
  report('DiagnosticsStatusNotification'),
  report('FirmwareStatusNotification'),
  report('SecurityEventNotification'),
  report('LogStatusNotification'),
  report('SignedFirmwareStatusNotification'),

  decision('BootNotification'),
  decision('Authorize'),
  decision('StartTransaction'),
  decision('StopTransaction'),
  decision('SignCertificate'),
  { name: 'DataTransfer', from: 'both', kind: 'decision' },

  command('CancelReservation'),
  command('CertificateSigned'),
  command('ChangeAvailability'),
  command('ChangeConfiguration'),
  command('ClearCache'),
  command('ClearChargingProfile'),
  command('DeleteCertificate'),
  command('ExtendedTriggerMessage'),
  command('GetCompositeSchedule'),
  command('GetConfiguration'),
  command('GetDiagnostics'),
  command('GetInstalledCertificateIds'),
  command('GetLocalListVersion'),
  command('GetLog'),
  command('InstallCertificate'),
  command('RemoteStartTransaction'),
  command('RemoteStopTransaction'),
  command('ReserveNow'),
  command('Reset'),
  command('SendLocalList'),
  command('SetChargingProfile'),
  command('SignedUpdateFirmware'),
  command('TriggerMessage'),
  command('UnlockConnector'),
  command('UpdateFirmware'),
];

export const actions16: ReadonlyMap<string, Action> = new Map(TABLE.map((action) => [action.name, action]));

function report(name: string, reply: Reply = nothing): Action {
  return { name, from: 'charger', kind: 'report', reply };
}

function decision(name: string): Action {
  return { name, from: 'charger', kind: 'decision' };
}

function command(name: string): Action {
  return { name, from: 'us', kind: 'command' };
}
