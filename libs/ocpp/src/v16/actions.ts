// The table of OCPP 1.6 actions, security extension included: who may send each, and who answers a charger's.
import type { Action, ReportAction } from '../action';
import type { V16Action } from './payloads';

type Traits = Partial<Pick<ReportAction, 'isTransactional' | 'namesTag' | 'reply'>>;

const NO_TRAITS = { isTransactional: false, namesTag: false };

const TABLE: readonly Action[] = [
  report('Heartbeat', { reply: (now) => ({ currentTime: now.toISOString() }) }),
  report('StatusNotification'),
  report('MeterValues', { isTransactional: true }),
  report('DiagnosticsStatusNotification'),
  report('FirmwareStatusNotification'),
  report('SecurityEventNotification'),
  report('LogStatusNotification'),
  report('SignedFirmwareStatusNotification'),

  decision('BootNotification'),
  decision('Authorize', { namesTag: true }),
  decision('StartTransaction', { isTransactional: true, namesTag: true }),
  decision('StopTransaction', { isTransactional: true }),
  decision('SignCertificate'),
  { name: 'DataTransfer', from: 'both', kind: 'decision', ...NO_TRAITS },

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

function report(name: V16Action, traits: Traits = {}): Action {
  return { ...NO_TRAITS, reply: () => ({}), ...traits, name, from: 'charger', kind: 'report' };
}

function decision(name: V16Action, traits: Traits = {}): Action {
  return { ...NO_TRAITS, ...traits, name, from: 'charger', kind: 'decision' };
}

function command(name: V16Action): Action {
  return { name, from: 'us', kind: 'command' };
}
