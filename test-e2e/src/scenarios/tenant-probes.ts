// Every call of both APIs, made to name things that are not the caller's: out of the documents that the services serve, so
// that a new route is probed as soon as it is there, or fails for want of a body to send.
import { bodyExample, type DocumentedBodies, type DocumentedBody } from '@busbar/http/testing';
import { http, type HttpReply } from '../harness/http';
import { legacy, v2, type World } from '../harness/world';

/** The resources that a call can name. Two of these differ only in the names. */
export interface Named {
  readonly chargerId: string;
  /** A chargerId that nobody has. */
  readonly freshId: string;
  readonly siteId: number;
  readonly transactionId: number;
  readonly idTag: string;
  readonly keyId: string;
  readonly reservationId: number;
  readonly commandId: string;
  readonly webhookId: string;
  /** The word that the owner wrote in every text: names, external ids, a city. */
  readonly word: string;
}

export interface Probe {
  readonly title: string;
  readonly method: string;
  path(named: Named): string;
  body?(named: Named): unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

interface Operation extends DocumentedBody {
  readonly parameters: readonly Parameter[];
}

interface Document extends DocumentedBodies {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Parts of paths. */
const PATH_PARTS: Readonly<Record<string, (named: Named) => string | number>> = {
  chargerId: ({ chargerId }) => chargerId,
  siteId: ({ siteId }) => siteId,
  groupId: ({ siteId }) => siteId,
  transactionId: ({ transactionId }) => transactionId,
  idTag: ({ idTag }) => idTag,
  rfidTag: ({ idTag }) => idTag,
  keyId: ({ keyId }) => keyId,
  reservationId: ({ reservationId }) => reservationId,
  commandId: ({ commandId }) => commandId,
  // An id of no charger: another client's has its own test.
  eventId: () => 'evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_1',
  webhookId: ({ webhookId }) => webhookId,
  socketId: () => 1,
  certificateId: () => '3f6e0c7d9b1a48525e0d7c6b5a493827',
  slot: () => 1,
  requestId: () => 4_711,
  messageId: () => 7,
  monitorId: () => 3,
  streamId: () => 1,
  chargingProfileId: () => 1,
};

/** Filters that name something, or look for a word. */
const FILTERS: Readonly<Record<string, (named: Named) => string | number>> = {
  chargerId: ({ chargerId }) => chargerId,
  commandId: ({ commandId }) => commandId,
  siteId: ({ siteId }) => siteId,
  parentSiteId: ({ siteId }) => siteId,
  groupId: ({ siteId }) => siteId,
  siteIds: ({ siteId }) => siteId,
  chargerIds: ({ chargerId }) => chargerId,
  rfidTags: ({ idTag }) => idTag,
  search: ({ word }) => word,
  externalSiteId: ({ word }) => word,
  city: ({ word }) => word,
  country: ({ word }) => word,
  manufacturer: ({ word }) => word,
  model: ({ word }) => word,
};

/** Filters that match everything, and parameters of presentation: each client finds only its own records. */
const NEUTRAL = new Set(
  [
    'page limit sortKey sortDescending showOnlyRootSites includeSubsites state authorization activeConnection ocppVersion action severity',
    'includeChargerConfigurations startDate endDate messageTypes includeHeartbeats from to socketIds startTime',
    'startTimeSearchEnd stopTimeSearchBegin stopTime timeoutS refresh configNames excludeDetails chargingProfileId',
    'socketId chargingProfilePurpose chargingLimitSource stackLevel after updatedSince type types waitS newest before outcome eventId component variable evseId attributeType id priority',
  ].flatMap((names) => names.split(' ')),
);

/** The bodies where the document has no example. */
const BODIES: Readonly<Record<string, (named: Named) => unknown>> = {
  'POST /v2/sites': ({ siteId }) => ({ name: 'Mine', parentSiteId: siteId }),
  'PATCH /v2/sites/{siteId}': () => ({ name: 'Mine now' }),
  'POST /v2/chargers': ({ freshId, siteId }) => ({ chargerId: freshId, name: 'Mine', siteId }),
  'PATCH /v2/chargers/{chargerId}': () => ({ name: 'Mine now' }),
  'PUT /v2/chargers/{chargerId}/sockets': () => ({ sockets: [{ id: 1 }] }),
  'PATCH /v2/chargers/{chargerId}/sockets/{socketId}': () => ({ name: 'Mine now' }),
  'PUT /v2/chargers/{chargerId}/authentication': () => ({ password: 'mine from now on' }),
  'PATCH /v2/tags/{idTag}': () => ({ blocked: true }),
  'POST /v2/chargers/{chargerId}/clear-cache': () => ({}),
  'POST /v2/chargers/{chargerId}/stop-transaction': ({ transactionId }) => ({ transactionId }),
  'POST /v2/tags': ({ idTag }) => ({ idTag }),
  'PUT /v2/real-time-authorization': ({ siteId }) => ({
    url: 'https://tags.example.com/',
    format: 'standard',
    siteIds: [siteId],
  }),
  'POST /v2/real-time-authorization/test': ({ chargerId, idTag }) => ({ chargerId, rfidTag: idTag }),
  'POST /v2/webhooks': ({ siteId, chargerId }) => ({
    url: 'https://hooks.example.com/',
    siteIds: [siteId],
    chargerIds: [chargerId],
  }),
  'PATCH /v2/webhooks/{webhookId}': () => ({ description: 'Mine now' }),
  'POST /v2/webhooks/{webhookId}/secret': () => ({ graceS: 0 }),
  'POST /v2/webhooks/{webhookId}/test': () => ({}),
  'POST /v2/webhooks/{webhookId}/redeliver': () => ({ eventIds: ['evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_1'] }),
  'POST /v2/webhooks/{webhookId}/replay': () => ({ after: '2000-01-01T00:00:00Z' }),
  'POST /v2/api-keys': () => ({ name: 'Mine', permissions: ['sites:read'] }),
  'POST /api/group/add': ({ siteId }) => ({ name: 'Mine', parentGroupId: siteId }),
  'PUT /api/group/{groupId}': () => ({ name: 'Mine now' }),
  'POST /api/charger/add/{chargerId}/{groupId}': () => ({ chargerName: 'Mine' }),
  'PUT /api/charger/{chargerId}': () => ({ chargerName: 'Mine now' }),
  'POST /api/charger/reboot/{chargerId}': () => ({ type: 'Hard' }),
  'POST /api/charger/changeConfig/{chargerId}': () => ({ configName: 'HeartbeatInterval', configValue: '1' }),
  'POST /api/statistics/transactions': ({ chargerId, siteId, idTag }) => ({
    startTime: '2000-01-01T00:00:00Z',
    chargerIDs: [chargerId],
    groupIDs: [siteId],
    rfidTags: [idTag],
  }),
};

/** The calls that create a record of the caller, whatever other clients have. */
const MAKES_OWN = new Set(['POST /v2/tags', 'POST /v2/tags/import', 'POST /v2/api-keys']);

/** A stream of the caller's own events: a request for its headers ends. */
const WITHOUT_END = new Set(['GET /v2/events/stream']);

/** These show all clients, and refuse every key of a client. */
const OF_OPERATORS = / \/v2\/operator\//;

/** A call for each operation, and one more for each filter that can name something. */
export async function probesOf(world: World): Promise<Probe[]> {
  const { v2: newer, api } = world.addresses();
  const documents = await Promise.all([http(`${newer}/openapi.json`), http(`${api}/swagger.json`)]);
  return documents.flatMap(({ json }) => {
    const document = json as Document;
    return Object.entries(document.paths).flatMap(([template, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        probesFor(`${method.toUpperCase()} ${template}`, operation, document),
      ),
    );
  });
}

/** As a client calls it: the key in the header, or in the query. */
export function send(client: World, probe: Probe, named: Named): Promise<HttpReply> {
  const { method } = probe;
  const body = probe.body?.(named);
  const path = probe.path(named);
  const call = { method, ...(body === undefined ? {} : { body }) };
  return path.startsWith('/v2') ? v2(client, path.slice(3), call) : legacy(client, path.slice(4), call);
}

function probesFor(title: string, operation: Operation, document: Document): Probe[] {
  if (MAKES_OWN.has(title) || OF_OPERATORS.test(title)) return [];
  const [documented = '', template = ''] = title.split(' ');
  const method = WITHOUT_END.has(title) ? 'HEAD' : documented;
  const body = bodyOf(title, operation, document);
  const base = (named: Named): string =>
    template.replace(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(partOf(title, name)(named)));
  const common = { method, ...(body === undefined ? {} : { body }) };
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query' && !NEUTRAL.has(parameter.name));
  return [
    { title, path: base, ...common },
    ...queries.map(({ name }) => {
      const value = FILTERS[name];
      if (value === undefined) throw new Error(`the filter ${name} of ${title} is not known here`);
      const path = (named: Named): string => `${base(named)}?${name}=${encodeURIComponent(value(named))}`;
      return { title: `${title}?${name}`, path, ...common };
    }),
  ];
}

function bodyOf(title: string, operation: Operation, document: Document): Probe['body'] {
  if (operation.requestBody === undefined) return undefined;
  // The example names the record only where the path does not.
  const body = BODIES[title] ?? (title.includes('{') ? () => bodyExample(document, operation) : undefined);
  if (body === undefined) throw new Error(`no body is known for ${title}`);
  return body;
}

function partOf(title: string, name: string): (named: Named) => string | number {
  // A new charger's id must be free: another client's id is 409, which has its own test.
  const part =
    title === 'POST /api/charger/add/{chargerId}/{groupId}' && name === 'chargerId'
      ? ({ freshId }: Named) => freshId
      : PATH_PARTS[name];
  if (part === undefined) throw new Error(`the part ${name} of ${title} is not known here`);
  return part;
}
