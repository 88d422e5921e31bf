import { readCharger } from '@busbar/domain';
import { presentCharger } from '../presenters/present-charger';
import { route } from '../route';
import { chargerSchema } from '../schemas/charger';
import { chargerParamsSchema } from '../schemas/values';

export type ReadChargerDeps = Parameters<typeof readCharger>[0];

export const readChargerRoute = (deps: ReadChargerDeps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId',
    tag: 'Chargers',
    summary: 'Read a charger',
    description: 'Its registration, its connection and what it has reported.',
    permission: 'chargers:read',
    params: chargerParamsSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'not_found'],
    handler: async ({ auth, params }) => presentCharger(await readCharger(deps, auth.clientId, params.chargerId)),
  });
