// The table of OCPP 2.0.1 and 2.1 actions and their handlers. A new action adds one line here.
import type { Handler } from '../../pipeline/contract';
import type { Routes } from '../router';
import { authorize } from './authorize';
import { bootNotification } from './boot-notification';
import { changeAvailabilityOutcome } from './change-availability';
import type { Authorities } from '../shared/certificates/authorities';
import { certificateSigned, signCertificateBy } from './certificates';
import { pullDynamicScheduleUpdate, updateDynamicScheduleOutcome } from './dynamic-profiles';
import { clearedChargingLimit, notifyChargingLimit } from './charging-limits';
import { clearChargingProfileOutcome, reportChargingProfiles, setChargingProfileOutcome } from './charging-profiles';
import { notifyEVChargingNeeds, notifyEVChargingSchedule } from './charging-needs';
import { dataTransfer } from './data-transfer';
import { clearDisplayMessageOutcome, notifyDisplayMessages, setDisplayMessageOutcome } from './display-messages';
import {
  adjustPeriodicEventStreamOutcome,
  closePeriodicEventStream,
  getPeriodicEventStreamOutcome,
  notifyPeriodicEventStream,
  openPeriodicEventStream,
} from './event-streams';
import { deleteCertificateOutcome, getInstalledCertificateIdsOutcome } from './installed-certificates';
import { get15118EVCertificate, getCertificateChainStatus, getCertificateStatus } from './iso15118';
import { getLocalListVersionOutcome, sendLocalListOutcome } from './local-list';
import { firmwareStatusNotification, logStatusNotification } from './progress';
import { cancelReservationOutcome, reservationStatusUpdate, reserveNowOutcome } from './reservations';
import { getLogOutcome, updateFirmwareOutcome } from './transfers';
import { getVariablesOutcome, notifyReport, setVariablesOutcome } from './variables';
import { meterValues } from './meter-values';
import {
  clearVariableMonitoringOutcome,
  notifyMonitoringReport,
  setMonitoringBaseOutcome,
  setVariableMonitoringOutcome,
} from './monitors';
import { setNetworkProfileOutcome } from './network-profile';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import {
  customerInformationOutcome,
  getBaseReportOutcome,
  getChargingProfilesOutcome,
  getDisplayMessagesOutcome,
  getMonitoringReportOutcome,
  getReportOutcome,
  notifyCustomerInformation,
} from './reports';
import { once } from './once';
import { outcome, route, type Action } from './route';
import { securityEventNotification } from './security-event';
import { notifyEvent, statusNotification } from './status-notification';
import { storedOnly } from './stored-only';
import { transactionEvent } from './transaction-event';
import { transactionStatusOutcome } from './transaction-status';

/** Reports that become an event of the charger's history and nothing else. */
const STORED_ONLY: readonly Action[] = [
  'BatterySwap',
  'NotifyDERAlarm',
  'NotifyDERStartStop',
  'NotifyPriorityCharging',
  'NotifySettlement',
  'PublishFirmwareStatusNotification',
  'ReportDERControl',
  'VatNumberValidation',
];

/**
 * Each boot counts, and so does the same status after one: the history has one row of it. A transaction knows its events by itself
 * (rule 141). A stream that is open already stays as it is.
 */
const REPEATABLE: ReadonlySet<string> = new Set<Action>([
  'BootNotification',
  'OpenPeriodicEventStream',
  'StatusNotification',
  'TransactionEvent',
]);

/**
 * Actions that are absent here change nothing that is stored beside the log, such as Heartbeat.
 */
export function createV2Routes({ authorities = {} }: { readonly authorities?: Authorities } = {}): Routes {
  return {
    calls: eachOnce([
      ...STORED_ONLY.map((action) => [action, storedOnly] as const),
      route('Authorize', authorize),
      route('BootNotification', bootNotification),
      route('DataTransfer', dataTransfer),
      route('Get15118EVCertificate', get15118EVCertificate),
      route('GetCertificateChainStatus', getCertificateChainStatus),
      route('GetCertificateStatus', getCertificateStatus),
      route('FirmwareStatusNotification', firmwareStatusNotification),
      route('LogStatusNotification', logStatusNotification),
      route('ClearedChargingLimit', clearedChargingLimit),
      route('MeterValues', meterValues),
      route('NotifyChargingLimit', notifyChargingLimit),
      route('NotifyEvent', notifyEvent),
      route('NotifyEVChargingNeeds', notifyEVChargingNeeds),
      route('NotifyEVChargingSchedule', notifyEVChargingSchedule),
      route('NotifyCustomerInformation', notifyCustomerInformation),
      route('NotifyDisplayMessages', notifyDisplayMessages),
      route('NotifyMonitoringReport', notifyMonitoringReport),
      route('NotifyReport', notifyReport),
      route('ReportChargingProfiles', reportChargingProfiles),
      route('ReservationStatusUpdate', reservationStatusUpdate),
      route('OpenPeriodicEventStream', openPeriodicEventStream),
      route('ClosePeriodicEventStream', closePeriodicEventStream),
      route('NotifyPeriodicEventStream', notifyPeriodicEventStream),
      route('PullDynamicScheduleUpdate', pullDynamicScheduleUpdate),
      route('SecurityEventNotification', securityEventNotification),
      route('SignCertificate', signCertificateBy(authorities)),
      route('StatusNotification', statusNotification),
      route('TransactionEvent', transactionEvent),
    ]),
    outcomes: new Map([
      outcome('AdjustPeriodicEventStream', adjustPeriodicEventStreamOutcome),
      outcome('CancelReservation', cancelReservationOutcome),
      outcome('CertificateSigned', certificateSigned),
      outcome('ChangeAvailability', changeAvailabilityOutcome),
      outcome('ClearChargingProfile', clearChargingProfileOutcome),
      outcome('ClearDisplayMessage', clearDisplayMessageOutcome),
      outcome('ClearVariableMonitoring', clearVariableMonitoringOutcome),
      outcome('DeleteCertificate', deleteCertificateOutcome),
      outcome('CustomerInformation', customerInformationOutcome),
      outcome('GetBaseReport', getBaseReportOutcome),
      outcome('GetChargingProfiles', getChargingProfilesOutcome),
      outcome('GetDisplayMessages', getDisplayMessagesOutcome),
      outcome('GetInstalledCertificateIds', getInstalledCertificateIdsOutcome),
      outcome('GetLocalListVersion', getLocalListVersionOutcome),
      outcome('GetLog', getLogOutcome),
      outcome('GetTransactionStatus', transactionStatusOutcome),
      outcome('GetMonitoringReport', getMonitoringReportOutcome),
      outcome('GetPeriodicEventStream', getPeriodicEventStreamOutcome),
      outcome('GetReport', getReportOutcome),
      outcome('GetVariables', getVariablesOutcome),
      outcome('ReserveNow', reserveNowOutcome),
      outcome('SendLocalList', sendLocalListOutcome),
      outcome('SetChargingProfile', setChargingProfileOutcome),
      outcome('SetDisplayMessage', setDisplayMessageOutcome),
      outcome('SetMonitoringBase', setMonitoringBaseOutcome),
      outcome('SetNetworkProfile', setNetworkProfileOutcome),
      outcome('SetVariableMonitoring', setVariableMonitoringOutcome),
      outcome('SetVariables', setVariablesOutcome),
      outcome('UpdateDynamicSchedule', updateDynamicScheduleOutcome),
      outcome('UpdateFirmware', updateFirmwareOutcome),
      outcome('RequestStartTransaction', remoteStartOutcome),
      outcome('RequestStopTransaction', remoteStopOutcome),
    ]),
  };
}

function eachOnce(rows: readonly (readonly [string, Handler])[]): Routes['calls'] {
  return new Map(rows.map(([action, handler]) => [action, REPEATABLE.has(action) ? handler : once(handler)]));
}
