// Every collection and its indexes, declared once for all adapters.
import type { IdempotencyRecord } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { StoredDeadLetter } from '@busbar/domain/reports';
import type {
  Charger,
  ChargerCertificate,
  ConnectionAttempt,
  ConnectionRecord,
  GatewayRecord,
} from '@busbar/domain/chargers';
import type { ApiKey, Client } from '@busbar/domain/clients';
import type { CommandRecord } from '@busbar/domain/commands';
import type { DeviceState } from '@busbar/domain/device-state';
import type { ChargerEvent, LogRow, StateChange } from '@busbar/domain/history';
import type { MeterValueRow, OrphanStop, Session, SessionSummary } from '@busbar/domain/sessions';
import type { Site, SiteTree } from '@busbar/domain/sites';
import type { Tag, TagClaim } from '@busbar/domain/tags';
import type { CollectionDefinition, Document, IndexDefinition } from '../port';

type Stored<T> = T & Document;

/** Lower-case keys by which lists sort and search. */
interface Listable<K extends string> {
  readonly listed?: Readonly<Record<K, string>>;
}

export const SUMMARY_PATHS = [
  'transactionId',
  'chargerId',
  'siteId',
  'socketId',
  'idTag',
  'startTime',
  'endTime',
  'meterStart',
  'meterStop',
  'consumptionWh',
  'stopReason',
] as const satisfies readonly (keyof SessionSummary)[];

function index(name: string, ...paths: readonly string[]): IndexDefinition {
  return { name, paths: paths.map((path) => [path, 1] as const) };
}

/** These paths, then all other fields of a transaction search: the index alone answers it. */
function showing(...paths: readonly string[]): readonly string[] {
  return [...new Set([...paths, ...SUMMARY_PATHS, 'state'])];
}

function unique(name: string, path: string): IndexDefinition {
  return { name, paths: [[path, 1]], unique: true };
}

export const clientsCollection: CollectionDefinition<Stored<Client>> = { name: 'clients', indexes: [] };

export const apiKeysCollection: CollectionDefinition<Stored<ApiKey>> = {
  name: 'apiKeys',
  indexes: [unique('hash', 'hash'), index('byClient', 'clientId'), index('byRevocation', 'revokedAt')],
};

/** `_id` is the site id as text. */
export const sitesCollection: CollectionDefinition<Stored<Site> & Listable<'name'>> = {
  name: 'sites',
  indexes: [
    index('byClient', 'clientId', 'siteId'),
    index('byParent', 'clientId', 'parentSiteId', 'siteId'),
    index('byExternalId', 'clientId', 'externalId', 'siteId'),
    index('byName', 'clientId', 'listed.name', 'siteId'),
    index('byCity', 'clientId', 'city', 'siteId'),
    index('byCountry', 'clientId', 'country', 'siteId'),
    index('byCreation', 'clientId', 'createdAt', 'siteId'),
    index('byChange', 'clientId', 'updatedAt', 'siteId'),
  ],
};

/** `_id` is the client id. */
export const siteTreesCollection: CollectionDefinition<Stored<SiteTree>> = { name: 'siteTrees', indexes: [] };

/**
 * `_id` is the charger id, unique over the whole service. List indexes: equality, then the order. No index has fields
 * that change with every message.
 */
export const chargersCollection: CollectionDefinition<Stored<Charger> & Listable<'chargerId' | 'name'>> = {
  name: 'chargers',
  indexes: [
    index('byClient', 'clientId', '_id'),
    index('byName', 'clientId', 'listed.name', '_id'),
    index('byListedId', 'clientId', 'listed.chargerId', '_id'),
    index('byCreation', 'clientId', 'registered.createdAt', '_id'),
    index('byChange', 'clientId', 'updatedAt', '_id'),
    index('bySite', 'clientId', 'registered.siteId', '_id'),
    index('bySiteName', 'clientId', 'registered.siteId', 'listed.name', '_id'),
    index('byManufacturer', 'clientId', 'reported.boot.manufacturer', '_id'),
    index('byModel', 'clientId', 'reported.boot.model', '_id'),
    index('byVersion', 'clientId', 'connection.ocppVersion', '_id'),
    index('byConnection', 'clientId', 'connection.active', '_id'),
    index('byState', 'clientId', 'connection.active', 'reported.ownState', '_id'),
    index('byTally', 'clientId', 'connection.active', 'reported.tally', 'registered.siteId', '_id'),
    index('byActiveGateway', 'connection.active', 'connection.gatewayId'),
  ],
  layout: 'wide',
};

/** `_id` is the charger id. */
export const deviceStateCollection: CollectionDefinition<Stored<DeviceState>> = {
  name: 'deviceStates',
  indexes: [],
};

/** `_id` is `clientId/idTagKey`. `nameKey` is the token name in lower case, for searching and sorting. */
export const tagsCollection: CollectionDefinition<Stored<Tag & { readonly nameKey: string | null }>> = {
  name: 'tags',
  indexes: [
    index('byClient', 'clientId', 'idTagKey'),
    index('byName', 'clientId', 'nameKey', 'idTagKey'),
    index('byExternalId', 'clientId', 'externalId'),
    index('byChange', 'clientId', 'updatedAt', 'idTagKey'),
  ],
};

/** Equality, then the order. With both times in a filter, one is the order and the index has the other too. */
export const sessionsCollection: CollectionDefinition<Stored<Session>> = {
  name: 'sessions',
  indexes: [
    unique('transactionId', 'transactionId'),
    index('byCharger', 'chargerId', 'incarnationId', 'startTime'),
    index('byTag', 'clientId', 'state', 'idTagKey'),
    index('byState', 'state', 'transactionId'),
    index('byCommand', 'clientId', 'commandId', 'startTime', 'transactionId'),
    index('byAge', 'state', 'recordedAt'),
    index('byChange', 'clientId', 'updatedAt', 'transactionId'),
    index('byStart', 'clientId', 'startTime', 'transactionId', 'endTime', 'state'),
    index('byEnd', 'clientId', 'endTime', 'transactionId', 'startTime', 'state'),
    index('byChargerStart', ...showing('clientId', 'chargerId', 'startTime', 'transactionId')),
    index('byChargerEnd', ...showing('clientId', 'chargerId', 'endTime', 'transactionId')),
    index('bySiteStart', ...showing('clientId', 'siteId', 'startTime', 'transactionId')),
    index('bySiteEnd', ...showing('clientId', 'siteId', 'endTime', 'transactionId')),
    index('byTagStart', ...showing('clientId', 'idTagKey', 'startTime', 'transactionId')),
    index('byTagEnd', ...showing('clientId', 'idTagKey', 'endTime', 'transactionId')),
    index('byStateStart', 'clientId', 'state', 'startTime', 'transactionId'),
    index('byStateEnd', 'clientId', 'state', 'endTime', 'transactionId'),
    index('byVerdictStart', 'clientId', 'verdict', 'startTime', 'transactionId'),
    index('byVerdictEnd', 'clientId', 'verdict', 'endTime', 'transactionId'),
  ],
};

export const orphanStopsCollection: CollectionDefinition<Stored<OrphanStop>> = {
  name: 'orphanStops',
  indexes: [index('byReceipt', 'receivedAt')],
  layout: 'log',
};

export const meterValuesCollection: CollectionDefinition<Stored<MeterValueRow>> = {
  name: 'meterValues',
  indexes: [index('bySession', 'sessionId', 'receivedAt', '_id'), index('byReceipt', 'receivedAt')],
  layout: 'log',
  scattered: 'sessionId',
};

/** `dayState` is the UTC day and the state (`2026-01-31 Available`), for counting. */
export const stateChangesCollection: CollectionDefinition<Stored<StateChange & { readonly dayState?: string }>> = {
  name: 'stateChanges',
  indexes: [
    index('byClient', 'clientId', 'at', 'dayState'),
    index('byCharger', 'clientId', 'chargerId', 'at', 'dayState'),
    index('bySite', 'clientId', 'siteId', 'at', 'dayState'),
    index('byReceipt', 'receivedAt'),
  ],
  layout: 'log',
  scattered: 'chargerId',
};

/**
 * `_id` is the envelope's id, which begins with its time. So old rows are a range of ids, which saves an index for
 * every message.
 */
export const logCollection: CollectionDefinition<Stored<LogRow>> = {
  name: 'ocppLog',
  indexes: [index('byCharger', 'incarnationId', '_id', 'action')],
  layout: 'log',
  scattered: 'incarnationId',
};

/** `_id` as in the log. */
export const eventsCollection: CollectionDefinition<Stored<ChargerEvent>> = {
  name: 'events',
  indexes: [index('byAction', 'chargerId', 'action', 'receivedAt')],
  layout: 'log',
  scattered: 'chargerId',
};

export const gatewaysCollection: CollectionDefinition<Stored<GatewayRecord>> = {
  name: 'gateways',
  indexes: [index('byTime', 'at')],
};

/** Bounded per charger. */
export const commandsCollection: CollectionDefinition<Stored<CommandRecord>> = {
  name: 'commands',
  indexes: [index('byCharger', 'chargerId', 'requestedAt', '_id'), index('byTime', 'requestedAt')],
};

/** Bounded per charger, and for all unregistered ids (`clientId` null) together. */
export const connectionAttemptsCollection: CollectionDefinition<Stored<ConnectionAttempt>> = {
  name: 'connectionAttempts',
  indexes: [
    index('byClient', 'clientId', 'at', '_id'),
    index('byCharger', 'chargerId', 'at', '_id'),
    index('byTime', 'at', '_id'),
  ],
};

/** `_id` is the connection id. Bounded per charger. */
export const connectionsCollection: CollectionDefinition<Stored<ConnectionRecord>> = {
  name: 'connections',
  indexes: [
    index('byCharger', 'incarnationId', 'connectedAt', '_id'),
    index('byGateway', 'gatewayId', 'disconnectedAt'),
    index('byEnd', 'disconnectedAt'),
  ],
};

/** `_id` is the serial number. */
export const chargerCertificatesCollection: CollectionDefinition<Stored<ChargerCertificate>> = {
  name: 'chargerCertificates',
  indexes: [index('byCharger', 'chargerId', 'issuedAt', '_id'), index('byExpiry', 'notAfter')],
};

export const deadLettersCollection: CollectionDefinition<Stored<StoredDeadLetter>> = {
  name: 'deadLetters',
  indexes: [index('byTime', 'at', '_id')],
};

export const idempotencyCollection: CollectionDefinition<Stored<IdempotencyRecord>> = {
  name: 'idempotencyRecords',
  indexes: [index('byExpiry', 'expiresAt')],
};

/** `_id` is the client's id and the tag's key. */
export const tagClaimsCollection: CollectionDefinition<Stored<TagClaim>> = {
  name: 'tagClaims',
  indexes: [index('byTime', 'at')],
};

/** One document per counter: `siteId`, `transactionId`. */
export const countersCollection: CollectionDefinition<Document & { readonly value: number }> = {
  name: 'counters',
  indexes: [],
};

/** `_id` is the client id. The number of started transactions per day, rarely for more than one day. */
export const clientStartsCollection: CollectionDefinition<
  Document & { readonly days: Readonly<Record<string, number>> }
> = { name: 'clientStarts', indexes: [] };

/** One document: the time up to which rows were deleted by age. */
export const retentionCollection: CollectionDefinition<Document & { readonly retainedUntil: Timestamp }> = {
  name: 'retention',
  indexes: [],
};

/** `_id` is the charger id. Outlives the charger, so that no order is given twice. */
export const ordersCollection: CollectionDefinition<Document & { readonly value: number }> = {
  name: 'connectionOrders',
  indexes: [],
};

export const allCollections: readonly CollectionDefinition<Document>[] = [
  clientsCollection,
  apiKeysCollection,
  sitesCollection,
  siteTreesCollection,
  chargersCollection,
  deviceStateCollection,
  tagsCollection,
  sessionsCollection,
  orphanStopsCollection,
  meterValuesCollection,
  stateChangesCollection,
  logCollection,
  eventsCollection,
  gatewaysCollection,
  commandsCollection,
  connectionAttemptsCollection,
  connectionsCollection,
  chargerCertificatesCollection,
  deadLettersCollection,
  idempotencyCollection,
  tagClaimsCollection,
  countersCollection,
  clientStartsCollection,
  retentionCollection,
  ordersCollection,
];
