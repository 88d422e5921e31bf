// All of the older API. A route is one file and one line here.
import type { Clock, Logger } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { createConnectionCloser } from '@busbar/domain/chargers';
import { type ApiKey } from '@busbar/domain/clients';
import { type ChargerLink } from '@busbar/domain/commands';
import { buildOpenApi, createApp, docsPages, type App, type RequestLimits, type Route } from '@busbar/http';
import { createInputSerializer } from '@busbar/ocpp';
import { legacyAccess } from './access';
import { legacyErrorPresenter } from './errors';
import { publicRoute } from './route';
import { addChargerRoute } from './routes/add-charger';
import { addGroupRoute } from './routes/add-group';
import { changeChargerRoute, deleteChargerRoute, listChargersRoute } from './routes/chargers';
import { commandRoutes } from './routes/commands';
import { changeGroupRoute, deleteGroupRoute, listGroupsRoute, readGroupRoute } from './routes/groups';
import { readChargerRoute } from './routes/read-charger';
import { searchTransactionsRoute } from './routes/search-transactions';
import { statisticsRoute } from './routes/statistics';

const BASE_PATH = '/api';
const DOCUMENT_PATH = '/swagger.json';

export interface LegacyAppDeps {
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

export interface LegacyApp extends App {
  readonly openApi: Readonly<Record<string, unknown>>;
}

/** The older API under `/api`, with its document and interactive page. Listens to nothing by itself. */
export function createLegacyApp(deps: LegacyAppDeps): LegacyApp {
  const { records, link, clock, logger, commandTimeoutS, maskKeys } = deps;
  const connections = createConnectionCloser({ ...records, link, clock, logger });
  const serializeInput = createInputSerializer(maskKeys);
  const parts = { ...records, link, connections, clock, commandTimeoutS, serializeInput };
  const routes: Route<ApiKey>[] = [
    addGroupRoute(parts),
    listGroupsRoute(parts),
    readGroupRoute(parts),
    changeGroupRoute(parts),
    deleteGroupRoute(parts),
    addChargerRoute(parts),
    listChargersRoute(parts),
    readChargerRoute(parts),
    changeChargerRoute(parts),
    deleteChargerRoute(parts),
    ...commandRoutes(parts),
    statisticsRoute(parts),
    searchTransactionsRoute(parts),
    openApiRoute(() => openApi),
  ];
  const openApi = documentOf(routes);
  const app = createApp({
    ...deps,
    basePath: BASE_PATH,
    routes,
    pages: docsPages({
      title: 'Busbar API, older generation',
      basePath: BASE_PATH,
      documentPath: DOCUMENT_PATH,
      logger: deps.logger,
    }),
    access: legacyAccess(parts),
    presenter: legacyErrorPresenter,
  });
  return { ...app, openApi };
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
    // The generation of clients that this API is for comes with generators that do not know 3.1.
    openapi: '3.0.3',
    title: 'Busbar API, older generation',
    version: '1.0.0',
    description: [
      'Groups, chargers and statistics. HTTPS only; `code` (API key) and `clientId` on every request; timestamps in UTC.',
      'Every answer carries `x-request-id`, and every error `errorCode`, `message` and `requestId`.',
    ].join('\n\n'),
    basePath: BASE_PATH,
    routes,
    securitySchemes: {
      code: { type: 'apiKey', in: 'query', name: 'code' },
      clientId: { type: 'apiKey', in: 'query', name: 'clientId' },
    },
    security: [{ code: [], clientId: [] }],
    presenter: legacyErrorPresenter,
  });
}
