export { BOOTSTRAP_KEY_NAME, hashApiKey, isUsable, PERMISSIONS } from './api-key';
export type { ApiKey, ApiKeyReader, ApiKeyWriter, Permission } from './api-key';
export { CHARGING_STATES, neverConnected } from './charger';
export type { AwaitedStart, AwaitedStop, StartCount } from './charger-starts';
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
} from './charger';
export { pendingOf, resolveKey, useKey } from './charger-authentication';
export type { ChargerAuthentication, KeyEnd, PendingKey } from './charger-authentication';
export { isChargerId, parseChargerId, RESERVED_CHARGER_IDS } from './charger-id';
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
export type {
  CallOutcome,
  ChargerAddress,
  ChargerCall,
  ChargerLink,
  CloseReason,
  ConnectionToClose,
} from './charger-link';
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
export { chargerState, ongoingTransactions, ownStateOf, readTally, socketTally, viewSockets } from './charger-view';
export type { SocketView } from './charger-view';
export type { Client, ClientReader, ClientWriter } from './client';
export type { CommandEnd, CommandOutcome, CommandReader, CommandRecord, CommandWriter } from './command-record';
export type {
  ConnectionAttempt,
  ConnectionAttemptBounds,
  ConnectionAttemptFilter,
  ConnectionAttemptReader,
  ConnectionAttemptWriter,
} from './connection-attempt';
export type { GatewayReader, GatewayRecord } from './gateway-record';
export { withGoodNetwork } from './good-networks';
export type {
  ChargerEvent,
  HistoryReader,
  LogFilter,
  LogRow,
  LogSortKey,
  StateChange,
  StateCount,
  StateFilter,
} from './history';
export { deviceStateOf } from './holdings/charger-holdings';
export type { DeviceState, DeviceStateChange, DeviceStateReader } from './holdings/charger-holdings';
export { profilesInForce, withoutProfiles, withProfile } from './holdings/charging-profile';
export type { ChargingProfiles, InstalledProfile, ProfileClearing, ProfileCriteria } from './holdings/charging-profile';
export { withListUpdate, withListVersion } from './holdings/local-list';
export type { LocalList, LocalListEntry, LocalListUpdate } from './holdings/local-list';
export { reservationState, withReservation, withReservationEnded } from './holdings/reservation';
export type { Reservation, ReservationState } from './holdings/reservation';
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
export { toInstant } from './instant';
export type { Instant } from './instant';
export {
  certifies,
  incarnationName,
  hasRoomForCertificate,
  MAX_CERTIFICATES_PER_CHARGER_ID,
  type ChargerCertificate,
  type ChargerCertificates,
} from './charger-certificate';
export { judgeLocalList } from './use-cases/local-list-verdicts';
export { isSamePlace, judgeTag, standingOf } from './judge-tag';
export type { ChargingPlace, KnownTag } from './judge-tag';
export type { AnswerClaimResult, IdempotencyRecord, IdempotencyRecords } from './kept-answer';
export type { OngoingTransaction } from './ongoing-transaction';
export type { Listed, PageWanted } from './listing';
export { isAfter } from './position';
export type { StoredPosition } from './position';
export type { Records } from './records';
export { newRequestId } from './request-id';
export { hashSecret, matchesSecret } from './secret';
export { AUTHORIZATION_SOURCES, awaitsMeter, isOpen, SESSION_STATES, wasRefused } from './session';
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
} from './session';
export type { SessionReader } from './session-reader';
export { SESSION_SORT_KEYS } from './session-search';
export type { LocatedSession, SessionFilter, SessionSortKey } from './session-search';
export { GROUP_TYPES, SITE_DEFAULTS, SITE_SORT_KEYS, siteVersion } from './site';
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
} from './site';
export type { NetworkStatistics, StatisticsReader } from './statistics';
export { TAG_SORT_KEYS, tagKey } from './tag';
export type { Tag, TagInput, TagReader, TagSortKey, TagStanding, TagVerdict, TagWriter } from './tag';
export type { TagClaim, TagClaimChange, TagClaimStore } from './tag-claim';
export { callWithNewKey, givesNewKey } from './use-cases/change-authorization-key';
export type { KeyChangeDeps } from './use-cases/change-authorization-key';
export { transferAction, transferStepOf } from './transfer';
export type { TransferKind, TransferProgress, TransferRequest, TransferStep } from './transfer';
export { abandonStranded } from './use-cases/abandon-stranded';
export type { AbandonStrandedDeps, StrandedPortion } from './use-cases/abandon-stranded';
export { authenticate } from './use-cases/authenticate';
export type { AuthenticateDeps } from './use-cases/authenticate';
export { deleteCharger, updateCharger, updateSocket } from './use-cases/change-charger';
export type { ChangeChargerDeps, ChargerEdit, DeleteChargerDeps, SocketChange } from './use-cases/change-charger';
export { deleteSite, updateSite } from './use-cases/change-site';
export type { ChangeSiteDeps, OwnedSite, SiteChange } from './use-cases/change-site';
export { callCharger } from './use-cases/call-charger';
export { COMMAND_ERRORS, commandOf, ownerOf } from './use-cases/command-request';
export type { CommandDeps, CommandRequest } from './use-cases/command-request';
export type { CallChargerDeps, ChargerCommand, ChargerOwner, EncodedCall, Encode } from './use-cases/call-charger';
export { createConnectionCloser } from './use-cases/connection-closer';
export type { ConnectionCloser, ConnectionCloserDeps } from './use-cases/connection-closer';
export { changeClient } from './use-cases/change-client';
export type { ChangeClientInput } from './use-cases/change-client';
export { ALL_PERMISSIONS, createApiKey } from './use-cases/create-api-key';
export type { CreateApiKeyInput } from './use-cases/create-api-key';
export { CHARGER_DEFAULTS, createCharger, DEFAULT_COMPATIBILITY } from './use-cases/create-charger';
export type { CreateChargerDeps, CreateChargerInput } from './use-cases/create-charger';
export { createClient } from './use-cases/create-client';
export type { CreateClientDeps, CreateClientInput } from './use-cases/create-client';
export { createSite } from './use-cases/create-site';
export type { CreateSiteDeps } from './use-cases/create-site';
export { judgeTagNow } from './use-cases/judge-tag-now';
export type { JudgeTagDeps } from './use-cases/judge-tag-now';
export { endSession } from './use-cases/end-session';
export type { EndSessionDeps } from './use-cases/end-session';
export { grantApiKey, MAX_API_KEYS } from './use-cases/grant-api-key';
export { listSites, placeNewSite, placeSites, readSite } from './use-cases/place-site';
export type { PlacedSite, PlaceSiteDeps } from './use-cases/place-site';
export { listConnectionAttempts } from './use-cases/list-connection-attempts';
export type { ListAttemptsDeps } from './use-cases/list-connection-attempts';
export { readCommand } from './use-cases/read-command';
export type { Commanded, RecordCommandDeps } from './use-cases/record-command';
export { CONNECTION_ATTEMPT_BOUNDS, recordConnectionAttempts } from './use-cases/record-connection-attempts';
export type { RecordAttemptsDeps } from './use-cases/record-connection-attempts';
export { allChargers, listChargers } from './use-cases/list-chargers';
export type { ChargerQuery, ListChargersDeps } from './use-cases/list-chargers';
export type { OwnedCharger } from './use-cases/owned-charger';
export { locateCharger, readCharger } from './use-cases/read-charger';
export type { LocatedCharger } from './use-cases/read-charger';
export { readChargerLog } from './use-cases/read-charger-log';
export { listStateChanges, MAX_DAYS, siteStateCounts } from './use-cases/read-states';
export type { CountsByState, ReadStatesDeps, SiteStates, StateQuery } from './use-cases/read-states';
export { readDeviceState, readTransfers } from './use-cases/read-holdings';
export type { ReadDeviceStateDeps, ReadTransfersDeps } from './use-cases/read-holdings';
export {
  listSessions,
  MAX_TRANSACTIONS,
  readMeterValues,
  readSession,
  searchTransactions,
} from './use-cases/read-sessions';
export type { ReadSessionsDeps } from './use-cases/read-sessions';
export { changeTag, createTag, deleteTag, readTag } from './use-cases/manage-tags';
export { revokeApiKey } from './use-cases/revoke-api-key';
export { MAX_SITES, withSubsites } from './use-cases/site-tree';
export { readSiteTree } from './use-cases/read-site-tree';
export type { ReadSiteTreeDeps, SiteNode, SiteTreeQuery } from './use-cases/read-site-tree';
export { removeChargerAuthentication, setChargerAuthentication } from './use-cases/set-charger-authentication';
export type { SetAuthenticationDeps, SetAuthenticationInput } from './use-cases/set-charger-authentication';
export { resolveStarts } from './use-cases/settle-starts';
export type { ResolveStartsDeps } from './use-cases/settle-starts';
export { startCharging, TAG_ERRORS, tagCheck } from './use-cases/start-charging';
export type { StartChargingInput } from './use-cases/start-charging';
export { stopTransaction } from './use-cases/stop-transaction';
export type { StopTransactionDeps } from './use-cases/stop-transaction';
