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
import type { ConsoleSession, SignInCode } from '@busbar/domain/console';
import type { CommandRecord } from '@busbar/domain/commands';
import type { DeviceModel, DeviceReportRow } from '@busbar/domain/device-model';
import type { DeviceState, EventStreams } from '@busbar/domain/device-state';
import type { DeletedCharger, FeedPage } from '@busbar/domain/feed';
import type { ChargerEvent, LogRow, StateChange } from '@busbar/domain/history';
import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import type { MeterValueRow, OrphanStop, Session, SessionSummary, TransactionEventRow } from '@busbar/domain/sessions';
import type { Site, SiteTree } from '@busbar/domain/sites';
import type { Tag, TagClaim } from '@busbar/domain/tags';
import type { DeadDelivery, DeliveryAttempt, PushedCharger, Webhook, WebhookStanding } from '@busbar/domain/webhooks';
import type { CollectionDefinition, Document, IndexDefinition } from '../port';
import { LIVE_PATHS } from './live-paths';

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

/** `slot`: one of the numbers of its client's webhooks, which are unique. */
export type WebhookDocument = Webhook & Document & { readonly slot: string };
/** `failure`: the webhook and the outcome, where it was not delivered. */
export type AttemptDocument = DeliveryAttempt & Document & { readonly failure?: string };
export type DeadDeliveryDocument = DeadDelivery & Document;
export type DeletedPushedCharger = PushedCharger &
  Document & { readonly clientId: string; readonly deletedAt: Timestamp };

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

function collection<T extends object>(
  name: string,
  indexes: readonly IndexDefinition[] = [],
  layout: Pick<CollectionDefinition<Document>, 'layout' | 'live'> = {},
): CollectionDefinition<T & Document> {
  return { name, indexes, ...layout };
}

/** Every collection, by its name. */
export const collections = {
  clients: collection<Client>('clients'),
  apiKeys: collection<ApiKey>('apiKeys', [
    unique('hash', 'hash'),
    index('byClient', 'clientId'),
    index('byRevocation', 'revokedAt'),
  ]),
  /** `_id` is the hash. Bounded per key. */
  consoleSessions: collection<ConsoleSession>('consoleSessions', [
    index('byKey', 'keyId', 'createdAt', '_id'),
    index('byExpiry', 'expiresAt'),
  ]),
  /** `_id` is the hash. Bounded. */
  signInCodes: collection<SignInCode>('signInCodes', [
    index('byAge', 'createdAt', '_id'),
    index('byExpiry', 'expiresAt'),
  ]),
  /** `_id` is the site id as text. */
  sites: collection<Site & Listable<'name'>>('sites', [
    index('byClient', 'clientId', 'siteId'),
    index('byParent', 'clientId', 'parentSiteId', 'siteId'),
    index('byExternalId', 'clientId', 'externalId', 'siteId'),
    index('byName', 'clientId', 'listed.name', 'siteId'),
    index('byCity', 'clientId', 'city', 'siteId'),
    index('byCountry', 'clientId', 'country', 'siteId'),
    index('byCreation', 'clientId', 'createdAt', 'siteId'),
    index('byChange', 'clientId', 'updatedAt', 'siteId'),
  ]),
  /** `_id` is the client id. */
  siteTrees: collection<SiteTree>('siteTrees'),
  /**
   * `_id` is the charger id, unique over the whole service. List indexes: equality, then the order. No index has fields
   * that change with every message.
   */
  chargers: collection<Charger & Listable<'chargerId' | 'name'>>(
    'chargers',
    [
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
      { ...index('byWaiting', 'outbox.waiting', '_id'), sparse: true },
    ],
    { layout: 'wide', live: LIVE_PATHS },
  ),
  /** `_id` is the charger id, of the next two too. */
  deviceStates: collection<DeviceState>('deviceStates'),
  deviceModels: collection<DeviceModel>('deviceModels'),
  eventStreams: collection<EventStreams>('eventStreams'),
  /** `_id` is the envelope's id, which begins with its time. */
  deviceReports: collection<DeviceReportRow>(
    'deviceReports',
    [index('byRequest', 'incarnationId', 'requestId', '_id')],
    { layout: 'log' },
  ),
  /** `_id` is `clientId/idTagKey`. `nameKey` is the token name in lower case, for searching and sorting. */
  tags: collection<Tag & { readonly nameKey: string | null }>('tags', [
    index('byClient', 'clientId', 'idTagKey'),
    index('byName', 'clientId', 'nameKey', 'idTagKey'),
    index('byExternalId', 'clientId', 'externalId'),
    index('byChange', 'clientId', 'updatedAt', 'idTagKey'),
  ]),
  /** Equality, then the order. With both times in a filter, one is the order and the index has the other too. */
  sessions: collection<Session>('sessions', [
    unique('transactionId', 'transactionId'),
    index('byCharger', 'chargerId', 'incarnationId', 'startTime'),
    index('byTag', 'clientId', 'state', 'idTagKey'),
    index('byState', 'state', 'transactionId'),
    index('byCommand', 'clientId', 'commandId', 'startTime', 'transactionId'),
    index('byAge', 'state', 'recordedAt'),
    index('byChange', 'clientId', 'updatedAt', 'transactionId'),
    index('byDeviceKey', 'device.key', 'transactionId'),
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
  ]),
  /** `_id` is the client id. */
  authorizationEndpoints: collection<AuthorizationEndpoint>('authorizationEndpoints'),
  orphanStops: collection<OrphanStop>('orphanStops', [index('byReceipt', 'receivedAt')], { layout: 'log' }),
  meterValues: collection<MeterValueRow>(
    'meterValues',
    [index('bySession', 'sessionId', 'receivedAt', '_id'), index('byReceipt', 'receivedAt')],
    { layout: 'log' },
  ),
  transactionEvents: collection<TransactionEventRow>(
    'transactionEvents',
    [index('bySession', 'sessionId', 'seqNo', '_id'), index('byReceipt', 'receivedAt')],
    { layout: 'log' },
  ),
  /** `dayState` is the UTC day and the state (`2026-01-31 Available`), for counting. */
  stateChanges: collection<StateChange & { readonly dayState?: string }>(
    'stateChanges',
    [
      index('byClient', 'clientId', 'at', 'dayState'),
      index('byCharger', 'clientId', 'chargerId', 'at', 'dayState'),
      index('bySite', 'clientId', 'siteId', 'at', 'dayState'),
      index('byReceipt', 'receivedAt'),
    ],
    { layout: 'log' },
  ),
  /**
   * `_id` is the envelope's id, which begins with its time. So old rows are a range of ids, which saves an index for
   * every message.
   */
  ocppLog: collection<LogRow>('ocppLog', [index('byCharger', 'incarnationId', '_id', 'action')], {
    layout: 'log',
  }),
  /** `_id` as in the log. */
  events: collection<ChargerEvent>(
    'events',
    [
      index('byAction', 'chargerId', 'action', 'receivedAt'),
      index('byCharger', 'incarnationId', '_id', 'component', 'severity'),
    ],
    { layout: 'log' },
  ),
  /** `_id` is `feedPageKey`: the ids of a stream sort by the number of the page. */
  feedPages: collection<FeedPage>('feedPages', [index('byTime', 'at', '_id')]),
  /** `_id` is the incarnation. */
  deletedChargers: collection<DeletedCharger>('deletedChargers', [index('byTime', 'deletedAt', '_id')]),
  /** `_id` is the incarnation. */
  deletedPushedChargers: collection<DeletedPushedCharger>('deletedPushedChargers', [index('byTime', 'deletedAt')]),
  /** `_id` is the webhook id. */
  webhooks: collection<WebhookDocument>('webhooks', [
    unique('slot', 'slot'),
    index('byClient', 'clientId', 'createdAt', '_id'),
  ]),
  /** `_id` is the webhook id. */
  webhookStandings: collection<WebhookStanding>('webhookStandings'),
  /** `_id` is the attempt's id, which begins with its time: it is the order, and old rows are a range of ids. */
  deliveryLog: collection<AttemptDocument>(
    'deliveryLog',
    [
      index('byWebhook', 'webhookId', '_id'),
      index('byEvent', 'eventId', 'webhookId', '_id'),
      index('byCharger', 'webhookId', 'chargerId', '_id'),
      { ...index('byFailure', 'failure', '_id'), sparse: true },
    ],
    { layout: 'log' },
  ),
  /** `_id` is `webhookId/eventId`. Bounded per webhook. */
  deadDeliveries: collection<DeadDeliveryDocument>('deadDeliveries', [
    index('byWebhook', 'webhookId', 'parkedAt', '_id'),
    index('byTime', 'parkedAt'),
  ]),
  gateways: collection<GatewayRecord>('gateways', [index('byTime', 'at')]),
  /** Bounded per charger. */
  commands: collection<CommandRecord>('commands', [
    index('byCharger', 'chargerId', 'requestedAt', '_id'),
    index('byTime', 'requestedAt'),
  ]),
  /** Bounded per charger, and for all unregistered ids (`clientId` null) together. */
  connectionAttempts: collection<ConnectionAttempt>('connectionAttempts', [
    index('byClient', 'clientId', 'at', '_id'),
    index('byCharger', 'chargerId', 'at', '_id'),
    index('byTime', 'at', '_id'),
  ]),
  /** `_id` is the connection id. Bounded per charger. */
  connections: collection<ConnectionRecord>('connections', [
    index('byCharger', 'incarnationId', 'connectedAt', '_id'),
    index('byGateway', 'gatewayId', 'disconnectedAt'),
    index('byEnd', 'disconnectedAt'),
  ]),
  /** `_id` is the serial number. */
  chargerCertificates: collection<ChargerCertificate>('chargerCertificates', [
    index('byCharger', 'chargerId', 'issuedAt', '_id'),
    index('byExpiry', 'notAfter'),
  ]),
  deadLetters: collection<StoredDeadLetter>('deadLetters', [index('byTime', 'at', '_id')]),
  idempotencyRecords: collection<IdempotencyRecord>('idempotencyRecords', [index('byExpiry', 'expiresAt')]),
  /** `_id` is the client's id and the tag's key. */
  tagClaims: collection<TagClaim>('tagClaims', [index('byTime', 'at')]),
  /** One document per counter: `siteId`, `transactionId`. */
  counters: collection<{ readonly value: number }>('counters'),
  /** `_id` is the client id. The number of started transactions per day, rarely for more than one day. */
  clientStarts: collection<{ readonly days: Readonly<Record<string, number>> }>('clientStarts'),
  /** One document: the time up to which rows were deleted by age. */
  retention: collection<{ readonly retainedUntil: Timestamp }>('retention'),
  /** `_id` is the charger id. Outlives the charger, so that no order is given twice. */
  connectionOrders: collection<{ readonly value: number }>('connectionOrders'),
} as const;

export const allCollections: readonly CollectionDefinition<Document>[] = Object.values(collections);
