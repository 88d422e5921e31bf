// All commands to chargers. Each has a route here, an encoding for each OCPP version in libs/ocpp, and a line below.
import type { ApiKey } from '@busbar/domain/clients';
import type { CommandDeps } from '@busbar/api';
import type { CertificateDeps, EventStreamDeps } from '@busbar/domain/commands';
import type { ReadDeviceModelDeps, ReadDeviceReportDeps } from '@busbar/domain/device-model';
import type { SiteReader } from '@busbar/domain/sites';
import type { Route } from '@busbar/http';
import { rawCallRoute } from './calls';
import { deleteCertificateRoute, installCertificateRoute, listCertificatesRoute } from './certificates';
import { startChargingRoute, stopTransactionRoute } from './charging';
import {
  clearChargingProfileRoute,
  compositeScheduleRoute,
  setChargingProfileRoute,
  updateScheduleRoute,
} from './charging-profile';
import { changeConfigurationRoute, readConfigurationRoute } from './configuration';
import {
  availabilityRoute,
  clearCacheRoute,
  dataTransferRoute,
  resetRoute,
  triggerMessageRoute,
  unlockRoute,
} from './control';
import { clearDisplayMessageRoute, listDisplayMessagesRoute, setDisplayMessageRoute } from './display-messages';
import { adjustEventStreamRoute, listEventStreamsRoute, listStreamValuesRoute } from './event-streams';
import { diagnosticsRoute, firmwareRoute } from './files';
import { localListVersionRoute, sendLocalListRoute } from './local-list';
import {
  clearMonitorRoute,
  clearMonitorsRoute,
  listMonitorsRoute,
  setMonitoringRoute,
  setMonitorsRoute,
} from './monitors';
import { setNetworkProfileRoute } from './network-profiles';
import { cancelReservationRoute, reserveRoute } from './reservations';
import { priorityChargingRoute, transactionStatusRoute, updateCostRoute } from './transaction-status';
import { customerInformationRoute, readReportRoute, requestReportRoute } from './reports';
import { changeVariablesRoute, listVariablesRoute, readVariablesRoute } from './variables';

export function commandRoutes(
  deps: CertificateDeps &
    CommandDeps &
    EventStreamDeps &
    ReadDeviceModelDeps &
    ReadDeviceReportDeps & { readonly sites: Pick<SiteReader, 'find'> },
): readonly Route<ApiKey>[] {
  return [
    startChargingRoute(deps),
    stopTransactionRoute(deps),
    resetRoute(deps),
    unlockRoute(deps),
    availabilityRoute(deps),
    triggerMessageRoute(deps),
    clearCacheRoute(deps),
    dataTransferRoute(deps),
    diagnosticsRoute(deps),
    firmwareRoute(deps),
    reserveRoute(deps),
    cancelReservationRoute(deps),
    sendLocalListRoute(deps),
    localListVersionRoute(deps),
    setChargingProfileRoute(deps),
    clearChargingProfileRoute(deps),
    compositeScheduleRoute(deps),
    updateScheduleRoute(deps),
    readConfigurationRoute(deps),
    changeConfigurationRoute(deps),
    listVariablesRoute(deps),
    readVariablesRoute(deps),
    changeVariablesRoute(deps),
    requestReportRoute(deps),
    readReportRoute(deps),
    customerInformationRoute(deps),
    transactionStatusRoute(deps),
    listCertificatesRoute(deps),
    installCertificateRoute(deps),
    deleteCertificateRoute(deps),
    setNetworkProfileRoute(deps),
    listDisplayMessagesRoute(deps),
    setDisplayMessageRoute(deps),
    clearDisplayMessageRoute(deps),
    listMonitorsRoute(deps),
    setMonitorsRoute(deps),
    clearMonitorsRoute(deps),
    clearMonitorRoute(deps),
    setMonitoringRoute(deps),
    listEventStreamsRoute(deps),
    adjustEventStreamRoute(deps),
    listStreamValuesRoute(deps),
    rawCallRoute(deps),
    updateCostRoute(deps),
    priorityChargingRoute(deps),
  ];
}
