// What a charger may send before a BootNotification of it is accepted (OCPP 2.0.1, B02 and B03).
import type { Protocol } from '../protocol';
import type { V2Action } from './payloads';

const STATUSES = { Accepted: 'accepted', Pending: 'pending', Rejected: 'rejected' } as const;

export const bootStatusOf: Protocol['bootStatusOf'] = (action, { status }) => {
  if (action !== ('BootNotification' satisfies V2Action)) return undefined;
  return typeof status === 'string' && isStatus(status) ? STATUSES[status] : undefined;
};

function isStatus(status: string): status is keyof typeof STATUSES {
  return Object.hasOwn(STATUSES, status);
}

/** The report that follows our CALL. */
const SOLICITED: ReadonlyMap<string, V2Action> = new Map<V2Action, V2Action>([
  ['CustomerInformation', 'NotifyCustomerInformation'],
  ['GetBaseReport', 'NotifyReport'],
  ['GetChargingProfiles', 'ReportChargingProfiles'],
  ['GetDERControl', 'ReportDERControl'],
  ['GetDisplayMessages', 'NotifyDisplayMessages'],
  ['GetLog', 'LogStatusNotification'],
  ['GetMonitoringReport', 'NotifyMonitoringReport'],
  ['GetReport', 'NotifyReport'],
  ['PublishFirmware', 'PublishFirmwareStatusNotification'],
  ['UpdateFirmware', 'FirmwareStatusNotification'],
]);

export const solicitedBy: Protocol['solicitedBy'] = ({ action, payload }) => {
  if (action !== ('TriggerMessage' satisfies V2Action)) return SOLICITED.get(action);
  const { requestedMessage } = payload;
  if (typeof requestedMessage !== 'string') return undefined;
  const asksForCsr = requestedMessage.startsWith('Sign') && requestedMessage.endsWith('Certificate');
  return asksForCsr ? ('SignCertificate' satisfies V2Action) : requestedMessage;
};
