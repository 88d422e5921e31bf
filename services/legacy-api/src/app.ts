// The v1 (legacy) API. Each route has its file, and a line here.
import { apiAccess, type ApiDefinition } from '@busbar/api';
import { presentedIn } from './access';
import { legacyErrorPresenter } from './errors';
import { addChargerRoute } from './routes/add-charger';
import { addGroupRoute } from './routes/add-group';
import { changeChargerRoute, deleteChargerRoute, listChargersRoute } from './routes/chargers';
import { commandRoutes } from './routes/commands';
import { changeGroupRoute, deleteGroupRoute, listGroupsRoute, readGroupRoute } from './routes/groups';
import { readChargerRoute } from './routes/read-charger';
import { searchTransactionsRoute } from './routes/search-transactions';
import { statisticsRoute } from './routes/statistics';

/** The API below `/api`. */
export const legacyApi: ApiDefinition = {
  name: 'legacy-api',
  basePath: '/api',
  documentPath: '/swagger.json',
  document: {
    // Code generators of its clients do not support 3.1.
    openapi: '3.0.3',
    title: 'Busbar v1 (legacy) API',
    version: '1.0.0',
    description: [
      'Manages groups and chargers, and reads statistics. Requests need HTTPS, and the query parameters `code` (API key) and `clientId`. Timestamps are in UTC.',
      'Every response has `x-request-id`. Every error has `errorCode`, `message` and `requestId`.',
    ].join('\n\n'),
    securitySchemes: {
      code: { type: 'apiKey', in: 'query', name: 'code' },
      clientId: { type: 'apiKey', in: 'query', name: 'clientId' },
    },
    security: [{ code: [], clientId: [] }],
  },
  access: (deps) =>
    apiAccess(deps, {
      presentedIn,
      challenge: 'ApiKey realm="busbar"',
      unauthenticatedMessage:
        'The API key is missing or invalid. Send it and its client id as the query parameters code and clientId.',
    }),
  presenter: legacyErrorPresenter,
  routes: (deps) => [
    addGroupRoute(deps),
    listGroupsRoute(deps),
    readGroupRoute(deps),
    changeGroupRoute(deps),
    deleteGroupRoute(deps),
    addChargerRoute(deps),
    listChargersRoute(deps),
    readChargerRoute(deps),
    changeChargerRoute(deps),
    deleteChargerRoute(deps),
    ...commandRoutes(deps),
    statisticsRoute(deps),
    searchTransactionsRoute(deps),
  ],
};
