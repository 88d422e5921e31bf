// Which handler takes which action of OCPP 1.6: the one line that a new action adds.
import { settlingKeys } from './authorization-key';
import { authorize } from './authorize';
import { bootNotification } from './boot-notification';
import { changeAvailabilityOutcome } from './change-availability';
import { changeConfigurationOutcome } from './change-configuration';
import { clearChargingProfileOutcome, setChargingProfileOutcome } from './charging-profiles';
import { dataTransfer } from './data-transfer';
import { getConfigurationOutcome } from './get-configuration';
import { heartbeat } from './heartbeat';
import { getLocalListVersionOutcome, sendLocalListOutcome } from './local-list';
import { meterValues } from './meter-values';
import { diagnosticsStatusNotification, firmwareStatusNotification, logStatusNotification } from './progress';
import { securityEventNotification } from './security-event';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import { cancelReservationOutcome, reserveNowOutcome } from './reservations';
import { signCertificate } from './sign-certificate';
import { startTransaction } from './start-transaction';
import { statusNotification } from './status-notification';
import { stopTransaction } from './stop-transaction';
import { getDiagnosticsOutcome, getLogOutcome, signedUpdateFirmwareOutcome, updateFirmwareOutcome } from './transfers';
import { route, type Routes } from '../router';

export const v16Routes: Routes = {
  calls: new Map([
    ['Authorize', route(authorize)],
    ['BootNotification', route(bootNotification)],
    ['DataTransfer', route(dataTransfer)],
    ['DiagnosticsStatusNotification', route(diagnosticsStatusNotification)],
    ['FirmwareStatusNotification', route(firmwareStatusNotification)],
    ['Heartbeat', route(heartbeat)],
    ['LogStatusNotification', route(logStatusNotification)],
    ['MeterValues', route(meterValues)],
    ['SecurityEventNotification', route(securityEventNotification)],
    ['SignCertificate', route(signCertificate)],
    ['SignedFirmwareStatusNotification', route(firmwareStatusNotification)],
    ['StartTransaction', route(startTransaction)],
    ['StatusNotification', route(statusNotification)],
    ['StopTransaction', route(stopTransaction)],
  ]),
  outcomes: new Map([
    ['CancelReservation', route(cancelReservationOutcome)],
    ['ChangeAvailability', route(changeAvailabilityOutcome)],
    ['ChangeConfiguration', route(settlingKeys(changeConfigurationOutcome))],
    ['ClearChargingProfile', route(clearChargingProfileOutcome)],
    ['GetConfiguration', route(getConfigurationOutcome)],
    ['GetDiagnostics', route(getDiagnosticsOutcome)],
    ['GetLocalListVersion', route(getLocalListVersionOutcome)],
    ['GetLog', route(getLogOutcome)],
    ['RemoteStartTransaction', route(remoteStartOutcome)],
    ['RemoteStopTransaction', route(remoteStopOutcome)],
    ['ReserveNow', route(reserveNowOutcome)],
    ['SendLocalList', route(sendLocalListOutcome)],
    ['SetChargingProfile', route(setChargingProfileOutcome)],
    ['SignedUpdateFirmware', route(signedUpdateFirmwareOutcome)],
    ['UpdateFirmware', route(updateFirmwareOutcome)],
  ]),
};
