import { describeApi } from '@busbar/api/testing';
import { legacyApi } from './app';

describeApi({
  definition: legacyApi,
  credentialsOf: ({ secret, clientId }) => ({ query: `code=${secret}&clientId=${clientId}` }),
  unknownMethod: { method: 'PATCH', path: '/charger/ACME_1', allow: 'DELETE, GET, HEAD, OPTIONS, PUT' },
  permissions: [
    ['POST', '/group/add', 'sites:write'],
    ['PUT', '/group/1', 'sites:write'],
    ['DELETE', '/group/1', 'sites:write'],
    ['GET', '/charger', 'chargers:read'],
    ['PUT', '/charger/X', 'chargers:write'],
    ['DELETE', '/charger/X', 'chargers:write'],
    ['POST', '/charger/add/X/1', 'chargers:write'],
    ['GET', '/charger/X', 'chargers:read'],
    ['GET', '/statistics', 'chargers:read'],
    ['POST', '/statistics/transactions', 'sessions:read'],
  ],
});
