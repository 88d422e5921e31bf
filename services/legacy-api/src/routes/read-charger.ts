import { readCharger } from '@busbar/domain/chargers';
import { presentCharger } from '../presenters/present-charger';
import { route } from '../route';
import { chargerSchema } from '../schemas/charger';
import { chargerParamsSchema } from '../schemas/values';

export const readChargerRoute = (deps: Parameters<typeof readCharger>[0]) =>
  route({
    method: 'GET',
    path: '/charger/:chargerId',
    tag: 'Chargers',
    operationId: 'getCharger',
    summary: 'Read the status record of a charger',
    permission: 'chargers:read',
    params: chargerParamsSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'not_found'],
    handler: async ({ auth, params }) => presentCharger(await readCharger(deps, auth.clientId, params.chargerId)),
  });
