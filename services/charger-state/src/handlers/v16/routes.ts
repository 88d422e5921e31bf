// The table of OCPP 1.6 actions and their handlers. A new action adds one line here.
import { authorize } from './authorize';
import { bootNotification } from './boot-notification';
import { changeAvailabilityOutcome } from './change-availability';
import { changeConfigurationOutcome } from './change-configuration';
import { clearChargingProfileOutcome, setChargingProfileOutcome } from './charging-profiles';
import { dataTransfer } from './data-transfer';
import { getConfigurationOutcome } from './get-configuration';
import { deleteCertificateOutcome, getInstalledCertificateIdsOutcome } from './certificates';
import { heartbeat } from './heartbeat';
import { getLocalListVersionOutcome, sendLocalListOutcome } from './local-list';
import { meterValues } from './meter-values';
import { diagnosticsStatusNotification, firmwareStatusNotification, logStatusNotification } from './progress';
import { securityEventNotification } from './security-event';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import { cancelReservationOutcome, reserveNowOutcome } from './reservations';
import { certificateSigned, signCertificateBy } from './sign-certificate';
import { startTransaction } from './start-transaction';
import { statusNotification } from './status-notification';
import { stopTransaction } from './stop-transaction';
import { getDiagnosticsOutcome, getLogOutcome, signedUpdateFirmwareOutcome, updateFirmwareOutcome } from './transfers';
import { outcome, route } from './route';
import type { Routes } from '../router';

/** `signsCertificates`: there is an authority that signs chargers' certificates. */
export function createV16Routes({ signsCertificates = false } = {}): Routes {
  return {
    calls: new Map([
      route('Authorize', authorize),
      route('BootNotification', bootNotification),
      route('DataTransfer', dataTransfer),
      route('DiagnosticsStatusNotification', diagnosticsStatusNotification),
      route('FirmwareStatusNotification', firmwareStatusNotification),
      route('Heartbeat', heartbeat),
      route('LogStatusNotification', logStatusNotification),
      route('MeterValues', meterValues),
      route('SecurityEventNotification', securityEventNotification),
      route('SignCertificate', signCertificateBy(signsCertificates)),
      route('SignedFirmwareStatusNotification', firmwareStatusNotification),
      route('StartTransaction', startTransaction),
      route('StatusNotification', statusNotification),
      route('StopTransaction', stopTransaction),
    ]),
    outcomes: new Map([
      outcome('CancelReservation', cancelReservationOutcome),
      outcome('CertificateSigned', certificateSigned),
      outcome('ChangeAvailability', changeAvailabilityOutcome),
      outcome('ChangeConfiguration', changeConfigurationOutcome),
      outcome('ClearChargingProfile', clearChargingProfileOutcome),
      outcome('DeleteCertificate', deleteCertificateOutcome),
      outcome('GetConfiguration', getConfigurationOutcome),
      outcome('GetDiagnostics', getDiagnosticsOutcome),
      outcome('GetInstalledCertificateIds', getInstalledCertificateIdsOutcome),
      outcome('GetLocalListVersion', getLocalListVersionOutcome),
      outcome('GetLog', getLogOutcome),
      outcome('RemoteStartTransaction', remoteStartOutcome),
      outcome('RemoteStopTransaction', remoteStopOutcome),
      outcome('ReserveNow', reserveNowOutcome),
      outcome('SendLocalList', sendLocalListOutcome),
      outcome('SetChargingProfile', setChargingProfileOutcome),
      outcome('SignedUpdateFirmware', signedUpdateFirmwareOutcome),
      outcome('UpdateFirmware', updateFirmwareOutcome),
    ]),
  };
}
