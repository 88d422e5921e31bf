export { callWithNewKey } from './credentials/change-authorization-key';
export { deleteCharger, updateCharger, updateSocket } from './change-charger';
export type { ChangeChargerDeps, DeleteChargerDeps } from './change-charger';
export { ADMISSIONS, neverConnected } from './charger';
export type {
  Admission,
  Availability,
  BootReport,
  Charger,
  ChargerInput,
  ChargerLocation,
  ChargerReader,
  ChargerReports,
  ChargerWriter,
  ConfigurationItem,
  Deviation,
  Progress,
  RegisteredSocket,
  ReportedEvse,
  ReplacedConnection,
  SocketAvailability,
} from './charger';
export type { RecentMessage } from './recent-message';
export { changedAtOf, withChangedAt } from './configuration-change';
export {
  dated,
  pendingOf,
  resolveKey,
  useKey,
  useProfile,
  withAgreedProfile,
} from './credentials/charger-authentication';
export type { ChargerAuthentication, KeyEnd } from './credentials/charger-authentication';
export {
  MAX_CERTIFICATES_PER_CHARGER_ID,
  certifies,
  hasRoomForCertificate,
  incarnationName,
} from './credentials/charger-certificate';
export type { ChargerCertificate } from './credentials/charger-certificate';
export { CHARGER_ID_MESSAGE, CHARGER_ID_PATTERN, CHARGER_ID_RULE, RESERVED_CHARGER_IDS } from './charger-id';
export { CHARGER_SORT_KEYS, chargerVersion } from './charger-listing';
export type {
  ChargerFilter,
  ChargerLister,
  ChargerRegistrar,
  ChargerSortKey,
  RegistrationFields,
} from './charger-listing';
export type { AwaitedStart, AwaitedStop, StartCount } from './charger-starts';
export { CHARGING_STATES } from './reported-status';
export { awaitedReports, isGivenUp } from './reported-variables';
export type { ChangedValue, DeviceReportKind, ReportInParts, VariableName } from './reported-variables';
export type { ChargingState, ReportedProblem, ReportedStatus } from './reported-status';
export {
  admissionOf,
  chargerState,
  evseState,
  isOfOcpp16,
  ongoingTransactions,
  ownStateOf,
  readTally,
  socketTally,
  viewSockets,
} from './charger-view';
export type { SocketView } from './charger-view';
export type {
  ConnectionAttempt,
  ConnectionAttemptFilter,
  ConnectionAttemptReader,
} from './connections/connection-attempt';
// Those of rejected attempts, as the APIs document them.
export { REJECTION_REASONS } from '@busbar/contracts';
export { UNREPORTED_ENDS } from './connections/connection-record';
export type { ConnectionReader, ConnectionRecord, ConnectionReplaced } from './connections/connection-record';
export { createConnectionCloser } from './connections/connection-closer';
export type { ConnectionCloser } from './connections/connection-closer';
export { CHARGER_DEFAULTS, DEFAULT_COMPATIBILITY, createCharger } from './create-charger';
export type { CreateChargerDeps } from './create-charger';
export type { GatewayRecord, PresenceStore } from './connections/gateway-record';
export { withGoodNetwork } from './connections/good-networks';
export { allChargers, listChargers } from './list-chargers';
export type { ListChargersDeps } from './list-chargers';
export { listConnections } from './connections/list-connections';
export { listConnectionAttempts } from './connections/list-connection-attempts';
export { locateCharger, readCharger } from './read-charger';
export type { LocatedCharger } from './read-charger';
export { CONNECTION_ATTEMPT_LIMITS, recordConnectionAttempts } from './connections/record-connection-attempts';
export { removeChargerAuthentication, setChargerAuthentication } from './credentials/set-charger-authentication';
export type { SetAuthenticationDeps, SetAuthenticationInput } from './credentials/set-charger-authentication';
export { readOwnedCharger } from './owned-charger';
