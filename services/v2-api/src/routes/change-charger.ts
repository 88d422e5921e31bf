import {
  chargerVersion,
  deleteCharger,
  locateCharger,
  updateCharger,
  type ChangeChargerDeps,
  type DeleteChargerDeps,
} from '@busbar/domain/chargers';
import { presentCharger } from '../presenters/present-charger';
import { versionedRoute } from '../route';
import { chargerSchema } from '../schemas/charger';
import { chargerPatchSchema } from '../schemas/charger-input';
import { chargerParamsSchema, common, recordSchema } from '../schemas/values';

const path = '/chargers/:chargerId';

export const updateChargerRoute = (deps: ChangeChargerDeps) =>
  versionedRoute({
    method: 'PATCH',
    path,
    tag: 'Chargers',
    operationId: 'updateCharger',
    summary: 'Change or move a charger',
    permission: 'chargers:write',
    params: chargerParamsSchema,
    body: chargerPatchSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId }, body, ifMatch }) {
      const charger = await updateCharger(deps, { clientId, chargerId, ifMatch }, body);
      return { body: presentCharger(await locateCharger(deps, charger)), version: chargerVersion(charger) };
    },
  });

export const deleteChargerRoute = (deps: DeleteChargerDeps) =>
  versionedRoute({
    method: 'DELETE',
    path,
    endsRecord: true,
    tag: 'Chargers',
    operationId: 'deleteCharger',
    summary: 'Delete a charger',
    description: [
      'The service closes its websocket. Its sessions remain. Any client can register its id again, without its earlier data.',
      'A session in progress becomes `superseded` and never gets an end. Stop it first.',
    ].join(' '),
    permission: 'chargers:write',
    params: chargerParamsSchema,
    response: recordSchema('DeletedCharger', 'The id of the deleted charger.', { chargerId: common.chargerId }),
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId }, ifMatch }) {
      const charger = await deleteCharger(deps, { clientId, chargerId, ifMatch });
      return { body: { chargerId }, version: chargerVersion(charger) };
    },
  });
