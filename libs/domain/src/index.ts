export { BOOTSTRAP_KEY_NAME, hashApiKey, isUsable, PERMISSIONS } from './clients/api-key';
export type { ApiKey, ApiKeyReader, ApiKeyWriter, Permission } from './clients/api-key';
export { CHARGING_STATES, neverConnected } from './chargers/charger';
export type { AwaitedStart, AwaitedStop, StartCount } from './chargers/charger-starts';
export type {
  AppliedPosition,
  Availability,
  BootReport,
  Charger,
  ChargerCompatibility,
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
} from './chargers/charger';
export { pendingOf, resolveKey, useKey } from './chargers/charger-authentication';
export type { ChargerAuthentication, KeyEnd, PendingKey } from './chargers/charger-authentication';
export { isChargerId, parseChargerId, RESERVED_CHARGER_IDS } from './chargers/charger-id';
export { CHARGER_SORT_KEYS, chargerVersion } from './chargers/charger-listing';
export type {
  ChargerFilter,
  ChargerLister,
  ChargerOwners,
  ChargerRegistrar,
  ChargerScan,
  ChargerSortKey,
  RegistrationFields,
} from './chargers/charger-listing';
export type {
  CallOutcome,
  ChargerAddress,
  ChargerCall,
  ChargerLink,
  CloseReason,
  ConnectionToClose,
} from './commands/charger-link';
export { noRows } from './charger-reports';
export type {
  ChargerChange,
  DeadLettersFrom,
  DeadLetterStore,
  MovedRows,
  PresenceStore,
  PruneBefore,
  ReportRows,
  ReportStore,
  ReportWriteResult,
  PruneCounts,
  RetentionStore,
  StoredDeadLetter,
} from './charger-reports';
export {
  chargerState,
  ongoingTransactions,
  ownStateOf,
  readTally,
  socketTally,
  viewSockets,
} from './chargers/charger-view';
export type { SocketView } from './chargers/charger-view';
export type { Client, ClientReader, ClientWriter } from './clients/client';
export type {
  CommandEnd,
  CommandOutcome,
  CommandReader,
  CommandRecord,
  CommandWriter,
} from './commands/command-record';
export type {
  ConnectionAttempt,
  ConnectionAttemptBounds,
  ConnectionAttemptFilter,
  ConnectionAttemptReader,
  ConnectionAttemptWriter,
} from './chargers/connection-attempt';
export type { GatewayReader, GatewayRecord } from './chargers/gateway-record';
export { withGoodNetwork } from './chargers/good-networks';
export type {
  ChargerEvent,
  HistoryReader,
  LogFilter,
  LogRow,
  LogSortKey,
  StateChange,
  StateCount,
  StateFilter,
} from './history/history';
export { deviceStateOf } from './device-state/device-state';
export type { DeviceState, DeviceStateChange, DeviceStateReader } from './device-state/device-state';
export { profilesInForce, withoutProfiles, withProfile } from './device-state/charging-profile';
export type {
  ChargingProfiles,
  InstalledProfile,
  ProfileClearing,
  ProfileCriteria,
} from './device-state/charging-profile';
export { withListUpdate, withListVersion } from './device-state/local-list';
export type { LocalList, LocalListEntry, LocalListUpdate } from './device-state/local-list';
export { reservationState, withReservation, withReservationEnded } from './device-state/reservation';
export type { Reservation, ReservationState } from './device-state/reservation';
export { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from './input-limits';
export type { InputLimits } from './input-limits';
export {
  chargerIdSchema,
  commandIdSchema,
  commandTimeoutSchema,
  configNameSchema,
  configValueSchema,
  nameSchema,
  rfidTagSchema,
  siteIdSchema,
  socketIdSchema,
  textSchema,
  transactionIdSchema,
} from './input-schemas';
export { toInstant } from './timestamp';
export type { Instant } from './timestamp';
export {
  certifies,
  incarnationName,
  hasRoomForCertificate,
  MAX_CERTIFICATES_PER_CHARGER_ID,
  type ChargerCertificate,
  type ChargerCertificates,
} from './chargers/charger-certificate';
export { judgeLocalList } from './tags/local-list-verdicts';
export { isSamePlace, judgeTag, standingOf } from './tags/judge-tag';
export type { ChargingPlace, KnownTag } from './tags/judge-tag';
export type { AnswerClaimResult, IdempotencyRecord, IdempotencyRecords } from './idempotency-record';
export type { OngoingTransaction } from './sessions/ongoing-transaction';
export type { Listed, PageWanted } from './listing';
export { isAfter } from './position';
export type { StoredPosition } from './position';
export type { Records } from './records';
export { newRequestId } from './request-id';
export { hashSecret, matchesSecret } from './secret';
export { AUTHORIZATION_SOURCES, awaitsMeter, isOpen, SESSION_STATES, wasRefused } from './sessions/session';
export type {
  AuthorizationSource,
  MeterValueRow,
  OrphanStop,
  Session,
  SessionEnd,
  SessionState,
  SessionStop,
  SessionSummary,
  CommandCorrelation,
  SessionWriter,
} from './sessions/session';
export type { SessionReader } from './sessions/session-reader';
export { SESSION_SORT_KEYS } from './sessions/session-search';
export type { LocatedSession, SessionFilter, SessionSortKey } from './sessions/session-search';
export { GROUP_TYPES, SITE_DEFAULTS, SITE_SORT_KEYS, siteVersion } from './sites/site';
export type {
  GroupType,
  Site,
  SiteFilter,
  SiteInput,
  SitePatch,
  SiteReader,
  SiteSortKey,
  SiteTree,
  SiteTreeChange,
  SiteWriter,
} from './sites/site';
export type { NetworkStatistics, StatisticsReader } from './history/statistics';
export { TAG_SORT_KEYS, tagKey } from './tags/tag';
export type { Tag, TagInput, TagReader, TagSortKey, TagStanding, TagVerdict, TagWriter } from './tags/tag';
export type { TagClaim, TagClaimChange, TagClaimStore } from './tags/tag-claim';
export { callWithNewKey, givesNewKey } from './chargers/change-authorization-key';
export type { KeyChangeDeps } from './chargers/change-authorization-key';
export { transferAction, transferStepOf } from './commands/transfer';
export type { TransferKind, TransferProgress, TransferRequest, TransferStep } from './commands/transfer';
export { abandonStranded } from './sessions/abandon-stranded';
export type { AbandonStrandedDeps, StrandedPortion } from './sessions/abandon-stranded';
export { authenticate } from './clients/authenticate';
export type { AuthenticateDeps } from './clients/authenticate';
export { deleteCharger, updateCharger, updateSocket } from './chargers/change-charger';
export type { ChangeChargerDeps, ChargerEdit, DeleteChargerDeps, SocketChange } from './chargers/change-charger';
export { deleteSite, updateSite } from './sites/change-site';
export type { ChangeSiteDeps, OwnedSite, SiteChange } from './sites/change-site';
export { callCharger } from './commands/call-charger';
export { COMMAND_ERRORS, commandOf, ownerOf } from './commands/command-request';
export type { CommandDeps, CommandRequest } from './commands/command-request';
export type { CallChargerDeps, ChargerCommand, ChargerOwner, EncodedCall, Encode } from './commands/call-charger';
export { createConnectionCloser } from './chargers/connection-closer';
export type { ConnectionCloser, ConnectionCloserDeps } from './chargers/connection-closer';
export { changeClient } from './clients/change-client';
export type { ChangeClientInput } from './clients/change-client';
export { ALL_PERMISSIONS, createApiKey } from './clients/create-api-key';
export type { CreateApiKeyInput } from './clients/create-api-key';
export { CHARGER_DEFAULTS, createCharger, DEFAULT_COMPATIBILITY } from './chargers/create-charger';
export type { CreateChargerDeps, CreateChargerInput } from './chargers/create-charger';
export { createClient } from './clients/create-client';
export type { CreateClientDeps, CreateClientInput } from './clients/create-client';
export { createSite } from './sites/create-site';
export type { CreateSiteDeps } from './sites/create-site';
export { judgeTagNow } from './tags/judge-tag-now';
export type { JudgeTagDeps } from './tags/judge-tag-now';
export { endSession } from './sessions/end-session';
export type { EndSessionDeps } from './sessions/end-session';
export { grantApiKey, MAX_API_KEYS } from './clients/grant-api-key';
export { listSites, placeNewSite, placeSites, readSite } from './sites/place-site';
export type { PlacedSite, PlaceSiteDeps } from './sites/place-site';
export { listConnectionAttempts } from './chargers/list-connection-attempts';
export type { ListAttemptsDeps } from './chargers/list-connection-attempts';
export { readCommand } from './commands/read-command';
export type { Commanded, RecordCommandDeps } from './commands/record-command';
export { CONNECTION_ATTEMPT_BOUNDS, recordConnectionAttempts } from './chargers/record-connection-attempts';
export type { RecordAttemptsDeps } from './chargers/record-connection-attempts';
export { allChargers, listChargers } from './chargers/list-chargers';
export type { ChargerQuery, ListChargersDeps } from './chargers/list-chargers';
export type { OwnedCharger } from './chargers/owned-charger';
export { locateCharger, readCharger } from './chargers/read-charger';
export type { LocatedCharger } from './chargers/read-charger';
export { readChargerLog } from './history/read-charger-log';
export { listStateChanges, MAX_DAYS, siteStateCounts } from './history/read-states';
export type { CountsByState, ReadStatesDeps, SiteStates, StateQuery } from './history/read-states';
export { readDeviceState, readTransfers } from './device-state/read-device-state';
export type { ReadDeviceStateDeps, ReadTransfersDeps } from './device-state/read-device-state';
export {
  listSessions,
  MAX_TRANSACTIONS,
  readMeterValues,
  readSession,
  searchTransactions,
} from './sessions/read-sessions';
export type { ReadSessionsDeps } from './sessions/read-sessions';
export { changeTag, createTag, deleteTag, readTag } from './tags/manage-tags';
export { revokeApiKey } from './clients/revoke-api-key';
export { MAX_SITES, withSubsites } from './sites/site-tree';
export { readSiteTree } from './sites/read-site-tree';
export type { ReadSiteTreeDeps, SiteNode, SiteTreeQuery } from './sites/read-site-tree';
export { removeChargerAuthentication, setChargerAuthentication } from './chargers/set-charger-authentication';
export type { SetAuthenticationDeps, SetAuthenticationInput } from './chargers/set-charger-authentication';
export { resolveStarts } from './sessions/resolve-starts';
export type { ResolveStartsDeps } from './sessions/resolve-starts';
export { startCharging, TAG_ERRORS, tagCheck } from './commands/start-charging';
export type { StartChargingInput } from './commands/start-charging';
export { stopTransaction } from './commands/stop-transaction';
export type { StopTransactionDeps } from './commands/stop-transaction';
