import {
  chargerVersion,
  removeChargerAuthentication,
  setChargerAuthentication,
  type Charger,
} from '@busbar/domain/chargers';
import { field } from '@busbar/http';
import { versionedRoute } from '../route';
import { chargerParamsSchema, common, recordSchema } from '../schemas/values';

type Deps = Parameters<typeof setChargerAuthentication>[0];

const path = '/chargers/:chargerId/authentication';

const inputSchema = {
  title: 'ChargerAuthenticationInput',
  description: [
    'The credentials of a charger. Security profiles 1 and 2 need a password or an authorizationKey. Profile 3 needs a client',
    'certificate that names the charger, and also a secret where one is set. Only a hash of the secret is stored. A change',
    'replaces keys that are being sent to the charger, and closes its connection.',
  ].join(' '),
  type: 'object',
  properties: {
    password: {
      type: 'string',
      minLength: 8,
      maxLength: 40,
      description: 'Password of the charger, at most 40 bytes in UTF-8.',
    },
    authorizationKey: {
      type: 'string',
      pattern: '^(?:[0-9A-Fa-f]{2}){16,20}$',
      description: 'A key of 16 to 20 bytes in hexadecimal, for keys that are not text. Not together with a password.',
    },
    securityProfile: {
      type: 'integer',
      enum: [0, 1, 2, 3],
      description: 'Default 1. 2: TLS only. 3: TLS with a client certificate.',
    },
  },
  additionalProperties: false,
  examples: [{ password: 'example-password-1', securityProfile: 1 }],
} as const;

const outputSchema = recordSchema('ChargerAuthentication', "The charger's security profile. Secrets are never shown.", {
  chargerId: common.chargerId,
  securityProfile: field({ type: 'integer', enum: [0, 1, 2, 3] }, 'The security profile that the charger must use.', 1),
});

export const setAuthenticationRoute = (deps: Deps) =>
  versionedRoute({
    method: 'PUT',
    path,
    tag: 'Chargers',
    operationId: 'setChargerAuthentication',
    summary: "Set a charger's credentials",
    description: "Changes the ETag of the charger. `If-Match` with the charger's ETag prevents a lost update.",
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
    operationId: 'removeChargerAuthentication',
    summary: "Remove a charger's credentials",
    description:
      'The charger then connects without credentials. Its connection is closed. Changes the ETag of the charger; `If-Match` prevents a lost update.',
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
