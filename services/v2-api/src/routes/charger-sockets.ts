import {
  chargerVersion,
  updateCharger,
  updateSocket,
  type ChangeChargerDeps,
  type Charger,
} from '@busbar/domain/chargers';
import { presentSockets } from '../presenters/present-charger';
import { versionedRoute } from '../route';
import { socketListSchema } from '../schemas/charger';
import { socketListInputSchema, socketParamsSchema, socketPatchSchema } from '../schemas/charger-input';
import { chargerParamsSchema } from '../schemas/values';

export const setSocketsRoute = (deps: ChangeChargerDeps) =>
  versionedRoute({
    method: 'PUT',
    path: '/chargers/:chargerId/sockets',
    tag: 'Chargers',
    operationId: 'replaceSockets',
    summary: "Replace a charger's registered sockets",
    description: 'Reports of the charger remain, also those of sockets that are not listed.',
    permission: 'chargers:write',
    params: chargerParamsSchema,
    body: socketListInputSchema,
    response: socketListSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId }, body: { sockets }, ifMatch }) {
      return versioned(await updateCharger(deps, { clientId, chargerId, ifMatch }, { sockets }));
    },
  });

export const updateSocketRoute = (deps: ChangeChargerDeps) =>
  versionedRoute({
    method: 'PATCH',
    path: '/chargers/:chargerId/sockets/:socketId',
    tag: 'Chargers',
    operationId: 'updateSocket',
    summary: 'Change a registered socket',
    description: 'The socket must be registered or reported by the charger.',
    permission: 'chargers:write',
    params: socketParamsSchema,
    body: socketPatchSchema,
    response: socketListSchema,
    errors: ['invalid_charger_id', 'not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { chargerId, socketId }, body, ifMatch }) {
      return versioned(await updateSocket(deps, { clientId, chargerId, socketId, ifMatch }, body));
    },
  });

function versioned(charger: Charger) {
  return { body: { chargerId: charger.chargerId, sockets: presentSockets(charger) }, version: chargerVersion(charger) };
}
