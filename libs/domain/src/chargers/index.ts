export { callWithNewKey, givesNewKey } from './change-authorization-key';
export type { KeyChangeDeps } from './change-authorization-key';
export { deleteCharger, updateCharger, updateSocket } from './change-charger';
export type { ChangeChargerDeps, ChargerEdit, DeleteChargerDeps, SocketChange } from './change-charger';
export { CHARGING_STATES, neverConnected } from './charger';
export type {
  Availability,
  BootReport,
  Charger,
  ChargerConnection,
  ChargerInput,
  ChargerLocation,
  ChargerReader,
  ChargerRegistration,
  ChargerReports,
  ChargerWriter,
  ChargingState,
  ConfigurationItem,
  Deviation,
  Progress,
  RegisteredSocket,
  ReplacedConnection,
  ReportedStatus,
  SocketAvailability,
} from './charger';
export { pendingOf, resolveKey, useKey } from './charger-authentication';
export type { ChargerAuthentication, KeyEnd, PendingKey } from './charger-authentication';
export {
  MAX_CERTIFICATES_PER_CHARGER_ID,
  certifies,
  hasRoomForCertificate,
  incarnationName,
} from './charger-certificate';
export type { ChargerCertificate, ChargerCertificates } from './charger-certificate';
export {
  CHARGER_ID_MESSAGE,
  CHARGER_ID_PATTERN,
  CHARGER_ID_RULE,
  RESERVED_CHARGER_IDS,
  isChargerId,
  parseChargerId,
} from './charger-id';
export { CHARGER_SORT_KEYS, chargerVersion } from './charger-listing';
export type {
  ChargerFilter,
  ChargerLister,
  ChargerOwners,
  ChargerRegistrar,
  ChargerScan,
  ChargerSortKey,
  RegistrationFields,
} from './charger-listing';
export type { AwaitedStart, AwaitedStop, StartCount } from './charger-starts';
export { chargerState, ongoingTransactions, ownStateOf, readTally, socketTally, viewSockets } from './charger-view';
export type { SocketView } from './charger-view';
export type {
  ConnectionAttempt,
  ConnectionAttemptBounds,
  ConnectionAttemptFilter,
  ConnectionAttemptReader,
  ConnectionAttemptWriter,
} from './connection-attempt';
// Those of rejected attempts, as the APIs document them.
export { REJECTION_REASONS } from '@busbar/contracts';
export { UNREPORTED_ENDS } from './connection-record';
export type { ConnectionFilter, ConnectionReader, ConnectionRecord, ConnectionReplaced } from './connection-record';
export { createConnectionCloser } from './connection-closer';
export type { ConnectionCloser, ConnectionCloserDeps } from './connection-closer';
export { CHARGER_DEFAULTS, DEFAULT_COMPATIBILITY, createCharger } from './create-charger';
export type { CreateChargerDeps, CreateChargerInput } from './create-charger';
export type { GatewayReader, GatewayRecord, PresenceStore } from './gateway-record';
export { withGoodNetwork } from './good-networks';
export { allChargers, listChargers } from './list-chargers';
export type { ChargerQuery, ListChargersDeps } from './list-chargers';
export { listConnections } from './list-connections';
export { listConnectionAttempts } from './list-connection-attempts';
export type { ListAttemptsDeps } from './list-connection-attempts';
export type { OwnedCharger } from './owned-charger';
export { locateCharger, readCharger } from './read-charger';
export type { LocatedCharger } from './read-charger';
export { CONNECTION_ATTEMPT_BOUNDS, recordConnectionAttempts } from './record-connection-attempts';
export type { RecordAttemptsDeps } from './record-connection-attempts';
export { removeChargerAuthentication, setChargerAuthentication } from './set-charger-authentication';
export type { SetAuthenticationDeps, SetAuthenticationInput } from './set-charger-authentication';
