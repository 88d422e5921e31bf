// All of the newer API. A route is one file and one line here.
import type { Clock, Logger } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { createConnectionCloser, type ConnectionCloser } from '@busbar/domain/chargers';
import { type ApiKey } from '@busbar/domain/clients';
import { type ChargerLink, type CommandDeps } from '@busbar/domain/commands';
import { buildOpenApi, createApp, docsPages, type App, type RequestLimits, type Route } from '@busbar/http';
import { createInputSerializer } from '@busbar/ocpp';
import { secretFrom, v2Access } from './access';
import { v2ErrorPresenter } from './errors';
import { publicRoute } from './route';
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from './routes/api-keys';
import { removeAuthenticationRoute, setAuthenticationRoute } from './routes/charger-authentication';
import { deleteChargerRoute, updateChargerRoute } from './routes/change-charger';
import { deviceStateRoutes } from './routes/charger-holdings';
import { setSocketsRoute, updateSocketRoute } from './routes/charger-sockets';
import { commandRoutes } from './routes/commands/command-routes';
import { connectionAttemptsRoute } from './routes/connection-attempts';
import { readCommandRoute } from './routes/commands/read-command';
import { createChargerRoute } from './routes/create-charger';
import { createSiteRoute } from './routes/create-site';
import { listChargersRoute } from './routes/list-chargers';
import { readChargerRoute } from './routes/read-charger';
import { ocppLogsRoute } from './routes/ocpp-logs';
import { endSessionRoute } from './routes/end-session';
import { listSessionsRoute, readMeterValuesRoute, readSessionRoute } from './routes/sessions';
import { deleteSiteRoute, listSitesRoute, readSiteRoute, updateSiteRoute } from './routes/sites';
import { chargerStatesRoute, siteStatesRoute } from './routes/states';
import { statisticsRoute } from './routes/statistics';
import { changeTagRoute, createTagRoute, deleteTagRoute, listTagsRoute, readTagRoute } from './routes/tags';

const BASE_PATH = '/v2';
const DOCUMENT_PATH = '/openapi.json';

export interface V2AppDeps {
  /** Each route takes the narrowest part. */
  readonly records: Records;
  /** The way to chargers. */
  readonly link: ChargerLink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Networks whose `X-Forwarded-Proto` counts. */
  readonly trustedProxies: readonly string[];
  /** False with a certificate that no browser trusts. Default true. */
  readonly sendsHsts?: boolean;
  /** May be shared with another API of the same process. */
  readonly requestLimits: RequestLimits;
  /** Seconds that a command waits for the charger's answer when its caller says nothing else. */
  readonly commandTimeoutS: number;
  /** The operator's own words for secrets, which a command's input is recorded without. */
  readonly maskKeys: readonly string[];
}

export interface V2App extends App {
  readonly openApi: Readonly<Record<string, unknown>>;
}

/** The newer API under `/v2`, with its document and interactive page. Listens to nothing by itself. */
export function createV2App(deps: V2AppDeps): V2App {
  const { records, link, clock, logger, commandTimeoutS, maskKeys } = deps;
  const connections = createConnectionCloser({ ...records, link, clock, logger });
  const serializeInput = createInputSerializer(maskKeys);
  const parts = { ...records, link, connections, clock, commandTimeoutS, serializeInput };
  const documentRoute = openApiRoute(() => openApi);
  const routes = [...v2Routes(parts), documentRoute];
  const openApi = documentOf(routes);
  const app = createApp({
    ...deps,
    basePath: BASE_PATH,
    routes,
    pages: docsPages({ title: 'Busbar API', basePath: BASE_PATH, documentPath: DOCUMENT_PATH, logger: deps.logger }),
    access: v2Access(parts),
    presenter: v2ErrorPresenter,
    idempotency: { answers: records.answers, secretOf: ({ headers }) => secretFrom(headers) ?? '' },
  });
  return { ...app, openApi };
}

type Parts = Records &
  Pick<V2AppDeps, 'link' | 'clock' | 'commandTimeoutS'> &
  Pick<CommandDeps, 'serializeInput'> & { readonly connections: ConnectionCloser };

function v2Routes(parts: Parts): Route<ApiKey>[] {
  return [
    createSiteRoute(parts),
    listSitesRoute(parts),
    readSiteRoute(parts),
    updateSiteRoute(parts),
    deleteSiteRoute(parts),
    createChargerRoute(parts),
    listChargersRoute(parts),
    readChargerRoute(parts),
    updateChargerRoute(parts),
    deleteChargerRoute(parts),
    setSocketsRoute(parts),
    updateSocketRoute(parts),
    setAuthenticationRoute(parts),
    removeAuthenticationRoute(parts),
    createApiKeyRoute(parts),
    listApiKeysRoute(parts),
    revokeApiKeyRoute(parts),
    ocppLogsRoute(parts),
    connectionAttemptsRoute(parts),
    chargerStatesRoute(parts),
    siteStatesRoute(parts),
    listSessionsRoute(parts),
    readSessionRoute(parts),
    readMeterValuesRoute(parts),
    endSessionRoute(parts),
    createTagRoute(parts),
    listTagsRoute(parts),
    readTagRoute(parts),
    changeTagRoute(parts),
    deleteTagRoute(parts),
    ...commandRoutes(parts),
    readCommandRoute(parts),
    ...deviceStateRoutes(parts),
    statisticsRoute(parts),
  ];
}

function openApiRoute(read: () => Readonly<Record<string, unknown>>): Route<ApiKey> {
  return publicRoute({
    method: 'GET',
    path: DOCUMENT_PATH,
    tag: 'Documentation',
    summary: 'This document',
    response: { type: 'object' },
    handler: () => read(),
  });
}

function documentOf(routes: readonly Route<ApiKey>[]): Readonly<Record<string, unknown>> {
  return buildOpenApi({
    openapi: '3.1.0',
    title: 'Busbar API',
    version: '2.0.0',
    description: [
      'Charging network management: sites, chargers, sessions, tags, API keys. HTTPS only; JSON in and out; timestamps are ISO 8601 in UTC.',
      'Every answer carries `x-request-id`. Errors are `application/problem+json` (RFC 9457) with a `code` of a closed list.',
      'Lists are read page by page, each page as the list is at that moment, with records that are alike in the `sortKey` in the order of their ids. What is added behind the place that was read moves nothing; what is added or deleted before it, or changes places, moves the rest, so that a record may come twice or be left out. Read a list that changes in an order in which new records come last, such as `createdAt`, or go on from the last time read where a filter has one.',
      'Requests with a key are answered with `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): how many may be made, how many are left, and in how many seconds all are back. Each process of the API counts by itself. An address that makes too many requests without a valid key gets 429 in place of 401.',
    ].join('\n\n'),
    basePath: BASE_PATH,
    routes,
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
    security: [{ apiKey: [] }, { bearer: [] }],
    presenter: v2ErrorPresenter,
  });
}
