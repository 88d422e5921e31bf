import { chargerIdSchema } from '@busbar/api';
import { createCharger, RESERVED_CHARGER_IDS, type CreateChargerDeps } from '@busbar/domain/chargers';
import { parseCharger } from '../presenters/parse-charger';
import { route } from '../route';
import { chargerInputSchema } from '../schemas/charger';
import { chargerIdResponseSchema, groupIdSchema, paramsSchema } from '../schemas/values';

export const addChargerRoute = (deps: CreateChargerDeps) =>
  route({
    method: 'POST',
    path: '/charger/add/:chargerId/:groupId',
    tag: 'Chargers',
    operationId: 'createCharger',
    summary: 'Register a charger in a group',
    description: 'The charger can be read at once. Its reported fields are empty until it has connected.',
    permission: 'chargers:write',
    params: paramsSchema({
      chargerId: {
        ...chargerIdSchema,
        description: `${chargerIdSchema.description} Reserved: ${RESERVED_CHARGER_IDS.join(', ')}.`,
      },
      groupId: groupIdSchema,
    }),
    body: chargerInputSchema,
    response: chargerIdResponseSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'charger_id_taken'],
    async handler({ auth, params: { chargerId, groupId }, body }) {
      await createCharger(deps, auth.clientId, { ...parseCharger(body), chargerId, siteId: groupId });
      return { chargerId };
    },
  });
