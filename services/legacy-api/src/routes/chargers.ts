import {
  allChargers,
  deleteCharger,
  locateCharger,
  updateCharger,
  type ChangeChargerDeps,
  type DeleteChargerDeps,
  type ListChargersDeps,
} from '@busbar/domain/chargers';
import { parseChargerChange } from '../presenters/parse-charger';
import { presentCharger, presentChargers } from '../presenters/present-charger';
import { longRoute, route } from '../route';
import { chargerChangeSchema, chargerSchema } from '../schemas/charger';
import { chargerIdAnswerSchema, chargerParamsSchema, groupIdSchema } from '../schemas/values';

const TAG = 'Chargers';
const path = '/charger/:chargerId';

export const listChargersRoute = (deps: ListChargersDeps) =>
  longRoute({
    method: 'GET',
    path: '/charger',
    tag: TAG,
    summary: 'Read the status records of all chargers, or of those of one group',
    description: 'By chargerId, all of them, however many: the newer generation has pages.',
    permission: 'chargers:read',
    query: { type: 'object', properties: { groupId: groupIdSchema }, additionalProperties: false },
    response: { type: 'array', items: chargerSchema },
    errors: ['invalid_site_id'],
    handler: ({ auth, query }) => presentChargers(allChargers(deps, auth.clientId, query.groupId)),
  });

export const changeChargerRoute = (deps: ChangeChargerDeps) =>
  route({
    method: 'PUT',
    path,
    tag: TAG,
    summary: 'Change what is registered of a charger, or move it to another group',
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
    summary: 'Delete a charger',
    description: [
      'Its open websocket is closed. Its transactions stay; its id is free for anyone and starts clean.',
      'A transaction under way stays without an end: nobody will tell of it. Stop it first.',
    ].join(' '),
    permission: 'chargers:write',
    params: chargerParamsSchema,
    response: chargerIdAnswerSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId } }) {
      await deleteCharger(deps, { clientId, chargerId });
      return { chargerId };
    },
  });
