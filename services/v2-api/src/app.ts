// The v2 API. Each route has its file, and a line here.
import type { ApiDefinition, RouteDeps } from '@busbar/api';
import type { ApiKey } from '@busbar/domain/clients';
import type { Route } from '@busbar/http';
import { secretOf, v2Access } from './access';
import { BASE_PATH, v2ErrorPresenter } from './errors';
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from './routes/api-keys';
import { removeAuthenticationRoute, setAuthenticationRoute } from './routes/charger-authentication';
import { deleteChargerRoute, updateChargerRoute } from './routes/change-charger';
import { chargingProfilesRoute } from './routes/charging-profiles';
import { deviceStateRoutes } from './routes/device-state';
import { setSocketsRoute, updateSocketRoute } from './routes/charger-sockets';
import { commandRoutes } from './routes/commands/command-routes';
import { chargerEventsRoute } from './routes/charger-events';
import { connectionsRoute } from './routes/connections';
import { connectionAttemptsRoute } from './routes/connection-attempts';
import { readCommandRoute } from './routes/commands/read-command';
import { createChargerRoute } from './routes/create-charger';
import {
  deleteRealTimeAuthorizationRoute,
  readRealTimeAuthorizationRoute,
  setRealTimeAuthorizationRoute,
  testRealTimeAuthorizationRoute,
} from './routes/real-time-authorization';
import { createSiteRoute } from './routes/create-site';
import { listChargersRoute } from './routes/list-chargers';
import { listEvsesRoute, readChargerRoute } from './routes/read-charger';
import { ocppLogStreamRoute } from './routes/ocpp-log-stream';
import { ocppLogsRoute } from './routes/ocpp-logs';
import { eventStreamRoute } from './routes/event-stream';
import { listEventsRoute, readEventRoute } from './routes/events';
import { endSessionRoute } from './routes/end-session';
import {
  listSessionsRoute,
  readMeterValuesRoute,
  readSessionRoute,
  readTransactionEventsRoute,
} from './routes/sessions';
import { deleteSiteRoute, listSitesRoute, readSiteRoute, updateSiteRoute } from './routes/sites';
import { chargerStatesRoute, siteStatesRoute } from './routes/states';
import { operatorRoutes } from './routes/operator';
import { siteStatisticsRoute, statisticsRoute } from './routes/statistics';
import { webhookRoutes } from './routes/webhooks/webhook-routes';
import {
  changeTagRoute,
  createTagRoute,
  deleteTagRoute,
  importTagsRoute,
  listTagsRoute,
  readTagRoute,
} from './routes/tags';
import { webhookRequests } from './schemas/webhook-requests';

/** The API below `/v2`. */
export const v2Api: ApiDefinition = {
  name: 'v2-api',
  basePath: BASE_PATH,
  documentPath: '/openapi.json',
  document: {
    openapi: '3.1.0',
    title: 'Busbar API',
    version: '2.0.0',
    description: [
      'Manages a network of chargers: sites, chargers, sessions, tags, API keys. Requests need HTTPS. Bodies are JSON. Timestamps are RFC 3339 in UTC.',
      'To begin: create a site, register a charger, point the charger at the websocket address of the service with the same id, read the charger. The examples of this document belong together: they use the site 1, the charger `ACME_1` and the tag `04E91C5A123B80`.',
      'Every response has `x-request-id`. Errors are `application/problem+json` (RFC 9457) with a `code` of a closed list; `type` is the path of a page that explains it (`/v2/errors` lists all, as HTML or JSON, without a key). A path without the method of the request responds 405 with `Allow`.',
      'Lists are paged. `Link` with `rel="next"` (RFC 8288) leads to the next page. With `page`, each page shows the list at that moment; records with the same `sortKey` are ordered by id. Records that are created, deleted or moved before the current position shift the rest, so that a record may appear twice or be missing. Chargers, sites, sessions and tags have cursors instead, which shift nothing: give `nextCursor` of a response as `after` of the next request, with the same filters and order, until it is null.',
      'To keep a copy of chargers, sites, sessions or tags: follow the cursors of `?updatedSince=1970-01-01T00:00:00Z` to the last page and store each record by its id; then, as often as you like, do the same with `updatedSince` set to the last `nextUpdatedSince`. Nothing that changes meanwhile is missed. `nextUpdatedSince` is two minutes or more in the past, so the changes of these minutes are repeated. Deleted records are not listed: to find them, compare the ids of a complete list. `lastSeen`, `lastMessage`, counts of deviations, `securityProfile` and `authenticationSetAt` where a command changed them, `lastUsedAt` of tags, and values of other records such as `siteName` change without `updatedAt`.',
      'A query parameter that an operation does not have is refused with 400, as are unknown fields of a body.',
      'Responses above 1 KB are compressed where `Accept-Encoding` has br, gzip or deflate. The ETag of a compressed response ends in the name of its encoding; `If-Match` accepts it with and without. `If-None-Match` has no effect: an ETag covers only what clients can change, not what chargers report.',
      'Responses to requests with an API key have `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): the quota, the remaining requests, and the seconds until the quota is restored. Each process of the API counts separately. An address with too many requests without a valid key gets 429 instead of 401.',
    ].join('\n\n'),
    tags: [
      { name: 'Sites', description: 'Places that chargers belong to, in trees. Create one before the first charger.' },
      { name: 'Chargers', description: 'Registration, credentials, connection and state of chargers.' },
      { name: 'Commands', description: 'Operations of a connected charger. The response is that of the charger.' },
      { name: 'Sessions', description: 'Charging sessions with their energy and meter values.' },
      { name: 'Tags', description: 'RFID tags of drivers, which decide who may charge.' },
      { name: 'Logs', description: 'What chargers sent and got, and why connections were rejected.' },
      { name: 'Events', description: 'Everything that happens to chargers, as a feed to read from a cursor.' },
      {
        name: 'Real-time authorization',
        description: "An endpoint of yours that decides whether a driver's tag may charge.",
      },
      { name: 'Webhooks', description: 'Addresses of your systems that the events are posted to.' },
      { name: 'Statistics', description: 'Numbers of the whole network.' },
      {
        name: 'Operator',
        description:
          'The whole deployment, over all clients: for keys with the permission `operator`, which only administration gives.',
      },
      { name: 'API keys', description: 'Keys of this API and their permissions.' },
    ],
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The API key.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
    },
    security: [{ apiKey: [] }, { bearer: [] }],
    webhooks: webhookRequests,
  },
  refusesUnknownParameters: true,
  access: v2Access,
  secretOf,
  presenter: v2ErrorPresenter,
  readsFeed: true,
  hasErrorPages: true,
  routes: v2Routes,
};

function v2Routes(deps: RouteDeps): Route<ApiKey>[] {
  return [
    createSiteRoute(deps),
    listSitesRoute(deps),
    readSiteRoute(deps),
    updateSiteRoute(deps),
    deleteSiteRoute(deps),
    createChargerRoute(deps),
    listChargersRoute(deps),
    readChargerRoute(deps),
    listEvsesRoute(deps),
    updateChargerRoute(deps),
    deleteChargerRoute(deps),
    setSocketsRoute(deps),
    updateSocketRoute(deps),
    setAuthenticationRoute(deps),
    removeAuthenticationRoute(deps),
    createApiKeyRoute(deps),
    listApiKeysRoute(deps),
    revokeApiKeyRoute(deps),
    ocppLogsRoute(deps),
    ocppLogStreamRoute(deps),
    connectionAttemptsRoute(deps),
    connectionsRoute(deps),
    chargerEventsRoute(deps),
    chargerStatesRoute(deps),
    siteStatesRoute(deps),
    listSessionsRoute(deps),
    readSessionRoute(deps),
    readMeterValuesRoute(deps),
    readTransactionEventsRoute(deps),
    endSessionRoute(deps),
    createTagRoute(deps),
    importTagsRoute(deps),
    listTagsRoute(deps),
    readTagRoute(deps),
    changeTagRoute(deps),
    deleteTagRoute(deps),
    ...commandRoutes(deps),
    readCommandRoute(deps),
    ...deviceStateRoutes(deps),
    chargingProfilesRoute(deps),
    listEventsRoute(deps),
    eventStreamRoute(deps),
    readEventRoute(deps),
    ...webhookRoutes(deps),
    setRealTimeAuthorizationRoute(deps),
    readRealTimeAuthorizationRoute(deps),
    testRealTimeAuthorizationRoute(deps),
    deleteRealTimeAuthorizationRoute(deps),
    statisticsRoute(deps),
    siteStatisticsRoute(deps),
    ...operatorRoutes(deps),
  ];
}
