import { chargerVersion, createCharger, readCharger, type CreateChargerDeps } from '@busbar/domain/chargers';
import { presentCharger } from '../presenters/present-charger';
import { versionedRoute } from '../route';
import { chargerSchema } from '../schemas/charger';
import { chargerInputSchema } from '../schemas/charger-input';
import type { ReadChargerDeps } from './read-charger';

export const createChargerRoute = (deps: CreateChargerDeps & ReadChargerDeps) =>
  versionedRoute({
    method: 'POST',
    path: '/chargers',
    tag: 'Chargers',
    operationId: 'createCharger',
    summary: 'Register a charger',
    description: 'The charger can be read at once. Its reported fields are empty until it has connected.',
    permission: 'chargers:write',
    body: chargerInputSchema,
    response: chargerSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'site_required', 'charger_id_taken'],
    async handler({ auth, body }) {
      const { chargerId } = await createCharger(deps, auth.clientId, body);
      const located = await readCharger(deps, auth.clientId, chargerId);
      return { body: presentCharger(located), version: chargerVersion(located.charger) };
    },
  });
