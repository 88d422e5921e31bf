import {
  chargerVersion,
  removeChargerAuthentication,
  setChargerAuthentication,
  type Charger,
} from '@busbar/domain/chargers';
import { versionedRoute } from '../route';
import { chargerParamsSchema, recordSchema } from '../schemas/values';

type Deps = Parameters<typeof setChargerAuthentication>[0];

const path = '/chargers/:chargerId/authentication';

const inputSchema = {
  title: 'ChargerAuthenticationInput',
  description: [
    'What the charger must present: a password or an authorizationKey for security profiles 1 and 2, a client certificate that',
    'names the charger for 3, and a secret too where one is given. Write-only: only a hash is kept. What is set here takes the',
    'place of keys that are under way to the charger, and the connection that is open is closed.',
  ].join(' '),
  type: 'object',
  properties: {
    password: { type: 'string', minLength: 8, maxLength: 40 },
    authorizationKey: {
      type: 'string',
      pattern: '^(?:[0-9A-Fa-f]{2}){16,20}$',
      description: '32 to 40 hexadecimal digits, two for each byte: for keys that JSON cannot carry.',
    },
    securityProfile: {
      type: 'integer',
      enum: [0, 1, 2, 3],
      description: '1 when absent. 2: over TLS only. 3: with a client certificate.',
    },
  },
  additionalProperties: false,
} as const;

const outputSchema = recordSchema('ChargerAuthentication', {
  chargerId: { type: 'string' },
  securityProfile: { type: 'integer', enum: [0, 1, 2, 3] },
});

export const setAuthenticationRoute = (deps: Deps) =>
  versionedRoute({
    method: 'PUT',
    path,
    tag: 'Chargers',
    summary: 'Set what a charger must present to connect',
    description:
      "A change of the charger: its ETag moves, and `If-Match` with that of the charger's record refuses a lost update.",
    permission: 'chargers:write',
    params: chargerParamsSchema,
    body: inputSchema,
    response: outputSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    handler: async ({ auth: { clientId }, params: { chargerId }, body, ifMatch }) =>
      versioned(await setChargerAuthentication(deps, { clientId, chargerId, ifMatch }, body)),
  });

export const removeAuthenticationRoute = (deps: Deps) =>
  versionedRoute({
    method: 'DELETE',
    path,
    tag: 'Chargers',
    summary: 'Let a charger connect without presenting anything',
    description:
      'A change of the charger, as setting it is: its ETag moves, `If-Match` refuses a lost update, and the open connection is closed.',
    permission: 'chargers:write',
    params: chargerParamsSchema,
    response: outputSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    handler: async ({ auth: { clientId }, params: { chargerId }, ifMatch }) =>
      versioned(await removeChargerAuthentication(deps, { clientId, chargerId, ifMatch })),
  });

function versioned(charger: Charger) {
  const { chargerId, registered } = charger;
  const { securityProfile } = registered.authentication;
  return { body: { chargerId, securityProfile }, version: chargerVersion(charger) };
}
