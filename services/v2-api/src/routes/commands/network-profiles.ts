import { chargerIdSchema, COMMAND_ERRORS, paramsSchema, type CommandDeps } from '@busbar/api';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { networkProfileSchema, networkSlotSchema } from '../../schemas/network-profile';
import { ALSO_WRITE, chargerStatusSchema, commandParts, requirePermission, send } from './command';

export const setNetworkProfileRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PUT',
    path: '/chargers/:chargerId/network-profiles/:slot',
    operationId: 'setNetworkProfile',
    summary: 'Set a network profile of a charger',
    description: [
      'The charger is asked by one SetNetworkProfile, with its own version of OCPP and JSON. `Rejected` and `Failed` are responses with 200.',
      `A higher \`securityProfile\` that the charger accepts is registered when it connects by it, and a lower one is refused from then on; the password stays. Secrets are masked wherever the command is shown. OCPP 1.6 has none: 409 \`not_supported_by_version\`. ${ALSO_WRITE}`,
    ].join(' '),
    params: paramsSchema({ chargerId: chargerIdSchema, slot: networkSlotSchema }),
    body: networkProfileSchema,
    response: chargerStatusSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    handler(call) {
      requirePermission(call, 'chargers:write', 'a network profile');
      return send(deps, call, encodeOperation('setNetworkProfile', { ...call.body, slot: call.params.slot }));
    },
  });
