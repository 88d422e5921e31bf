import {
  allChargers,
  deleteCharger,
  locateCharger,
  updateCharger,
  type ChangeChargerDeps,
  type DeleteChargerDeps,
  type ListChargersDeps,
} from '@busbar/domain/chargers';
import { field } from '@busbar/http';
import { parseChargerChange } from '../presenters/parse-charger';
import { presentCharger, presentChargers } from '../presenters/present-charger';
import { longRoute, route } from '../route';
import { chargerChangeSchema, chargerListSchema, chargerSchema } from '../schemas/charger';
import { chargerIdResponseSchema, chargerParamsSchema, groupIdSchema } from '../schemas/values';

const TAG = 'Chargers';
const path = '/charger/:chargerId';

export const listChargersRoute = (deps: ListChargersDeps) =>
  longRoute({
    method: 'GET',
    path: '/charger',
    tag: TAG,
    operationId: 'listChargers',
    summary: 'List status records of chargers',
    description: 'All chargers, or those of one group, ordered by chargerId and without pages. The v2 API has pages.',
    permission: 'chargers:read',
    query: {
      type: 'object',
      properties: { groupId: field(groupIdSchema, 'Chargers of this group. Default: all.') },
      additionalProperties: false,
    },
    response: chargerListSchema,
    errors: ['invalid_site_id'],
    handler: ({ auth, query }) => presentChargers(allChargers(deps, auth.clientId, query.groupId)),
  });

export const changeChargerRoute = (deps: ChangeChargerDeps) =>
  route({
    method: 'PUT',
    path,
    tag: TAG,
    operationId: 'updateCharger',
    summary: 'Change or move a charger',
    permission: 'chargers:write',
    params: chargerParamsSchema,
    body: chargerChangeSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId }, body }) {
      const charger = await updateCharger(deps, { clientId, chargerId }, parseChargerChange(body));
      return presentCharger(await locateCharger(deps, charger));
    },
  });

export const deleteChargerRoute = (deps: DeleteChargerDeps) =>
  route({
    method: 'DELETE',
    path,
    tag: TAG,
    operationId: 'deleteCharger',
    summary: 'Delete a charger',
    description: [
      'The service closes its websocket. Its transactions remain. Any client can register its id again, without its earlier',
      'data. A transaction in progress never gets an end. Stop it first.',
    ].join(' '),
    permission: 'chargers:write',
    params: chargerParamsSchema,
    response: chargerIdResponseSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId } }) {
      await deleteCharger(deps, { clientId, chargerId });
      return { chargerId };
    },
  });
