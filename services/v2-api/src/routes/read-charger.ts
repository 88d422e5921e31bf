import { chargerVersion, readCharger } from '@busbar/domain/chargers';
import { presentCharger, presentEvses } from '../presenters/present-charger';
import { route, versionedRoute } from '../route';
import { chargerSchema, evseListSchema } from '../schemas/charger';
import { chargerParamsSchema } from '../schemas/values';

export type ReadChargerDeps = Parameters<typeof readCharger>[0];

export const readChargerRoute = (deps: ReadChargerDeps) =>
  versionedRoute({
    method: 'GET',
    path: '/chargers/:chargerId',
    tag: 'Chargers',
    operationId: 'getCharger',
    summary: 'Read a charger',
    description: 'Returns its registration, its connection and its reports.',
    permission: 'chargers:read',
    params: chargerParamsSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth, params }) {
      const located = await readCharger(deps, auth.clientId, params.chargerId);
      return { body: presentCharger(located), version: chargerVersion(located.charger) };
    },
  });

export const listEvsesRoute = (deps: ReadChargerDeps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId/evses',
    tag: 'Chargers',
    operationId: 'listEvses',
    summary: "List a charger's EVSEs",
    description:
      'The state of an EVSE is its own where it reported Reserved, Unavailable or an error, else that of its most active socket. OCPP 1.6: each socket is an EVSE.',
    permission: 'chargers:read',
    params: chargerParamsSchema,
    response: evseListSchema,
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth, params }) {
      const { charger } = await readCharger(deps, auth.clientId, params.chargerId);
      return presentEvses(charger);
    },
  });
