import { chargerVersion, readCharger } from '@busbar/domain/chargers';
import { presentCharger } from '../presenters/present-charger';
import { versionedRoute } from '../route';
import { chargerSchema } from '../schemas/charger';
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
