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
import { chargerPatchSchema, chargerSchema } from '../schemas/charger';
import { chargerParamsSchema, recordSchema } from '../schemas/values';

const path = '/chargers/:chargerId';

export const updateChargerRoute = (deps: ChangeChargerDeps) =>
  versionedRoute({
    method: 'PATCH',
    path,
    tag: 'Chargers',
    summary: 'Change what is registered of a charger, or move it to another site',
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
    summary: 'Delete a charger',
    description: [
      'Its open websocket is closed. Its sessions stay; its id is free for anyone and starts clean.',
      'A session under way becomes `superseded` and stays without an end: nobody will tell of it. Stop it first.',
    ].join(' '),
    permission: 'chargers:write',
    params: chargerParamsSchema,
    response: recordSchema('DeletedCharger', { chargerId: { type: 'string' } }),
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId }, ifMatch }) {
      const charger = await deleteCharger(deps, { clientId, chargerId, ifMatch });
      return { body: { chargerId }, version: chargerVersion(charger) };
    },
  });
