import { commandOf, type CommandDeps } from '@busbar/api';
import type { Logger } from '@busbar/core';
import {
  chargerVersion,
  deleteCharger,
  isOfOcpp16,
  locateCharger,
  updateCharger,
  type ChangeChargerDeps,
  type Charger,
  type DeleteChargerDeps,
} from '@busbar/domain/chargers';
import { callCharger } from '@busbar/domain/commands';
import { encodeOperation } from '@busbar/ocpp';
import { presentCharger } from '../presenters/present-charger';
import { versionedRoute } from '../route';
import { chargerSchema } from '../schemas/charger';
import { chargerPatchSchema } from '../schemas/charger-input';
import { chargerParamsSchema, common, recordSchema } from '../schemas/values';

const path = '/chargers/:chargerId';

/** The charger knows that it is accepted when it boots again: OCPP 2.0.1, B02 and F06. */
const TRIGGERED_BOOT = encodeOperation('triggerMessage', { message: 'BootNotification' });

export const updateChargerRoute = (deps: ChangeChargerDeps & CommandDeps & { readonly logger: Logger }) =>
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
    async handler({ auth, params, body, ifMatch, requestId }) {
      const owner = { clientId: auth.clientId, chargerId: params.chargerId };
      const { chargerId } = owner;
      const onAccepted = (accepted: Charger): void => {
        if (!accepted.connection.active || isOfOcpp16(accepted)) return;
        const command = commandOf(deps, { auth, query: {}, requestId }, TRIGGERED_BOOT);
        // The record has changed; where the charger cannot be asked, it boots by itself after the interval.
        callCharger(deps, owner, command).catch((error: unknown) =>
          deps.logger.info({ err: error, chargerId }, 'could not ask an accepted charger to boot again'),
        );
      };
      const charger = await updateCharger({ ...deps, onAccepted }, { ...owner, ifMatch }, body);
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
