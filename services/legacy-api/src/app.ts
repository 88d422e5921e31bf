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
      'To begin: create a group, register a charger in it, point the charger at the websocket address of the service with the same id, read the charger. The examples of this document belong together: they use the group 1, the charger `ACME_1` and the tag `04E91C5A123B80`.',
      'Every response has `x-request-id`. Every error has `errorCode`, `message` and `requestId`. A path without the method of the request responds 405 with `Allow`. A group is a site of the v2 API.',
    ].join('\n\n'),
    tags: [
      { name: 'Groups', description: 'Places that chargers belong to, in trees. Create one before the first charger.' },
      { name: 'Chargers', description: 'Registration and status records of chargers.' },
      { name: 'Commands', description: 'Operations of a connected charger. The response is that of the charger.' },
      { name: 'Statistics', description: 'Numbers of the whole network, and its transactions.' },
    ],
    securitySchemes: {
      code: { type: 'apiKey', in: 'query', name: 'code', description: 'The API key.' },
      clientId: { type: 'apiKey', in: 'query', name: 'clientId', description: 'The id of the client of the API key.' },
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
