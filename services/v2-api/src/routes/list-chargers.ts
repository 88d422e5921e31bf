import type { Clock } from '@busbar/core';
import { listChargers, type ListChargersDeps } from '@busbar/domain/chargers';
import { cursorPageSchema, cursorPageWanted, cursorReply } from '@busbar/http';
import { presentListedCharger } from '../presenters/present-charger';
import { route } from '../route';
import { listedChargerSchema } from '../schemas/charger';
import { chargerQuerySchema } from '../schemas/charger-input';

type Deps = ListChargersDeps & { readonly clock: Clock };

export const listChargersRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/chargers',
    tag: 'Chargers',
    operationId: 'listChargers',
    summary: 'List chargers',
    description: ['A charger matches all filters.', 'A `totalRecords` above 10,000 may be some minutes old.'].join(' '),
    permission: 'chargers:read',
    query: chargerQuerySchema,
    response: cursorPageSchema('ChargerPage', listedChargerSchema),
    errors: ['invalid_site_id'],
    async handler({ auth, query }) {
      const order = { list: 'chargers', sortKey: 'chargerId', sortDescending: false, now: deps.clock.now() } as const;
      const page = cursorPageWanted(query, order);
      const { includeChargerConfigurations = false } = query;
      const { updatedSince } = page;
      const found = await listChargers(deps, auth.clientId, { ...query, updatedSince }, page);
      return cursorReply(page, {
        ...found,
        items: found.items.map((located) => presentListedCharger(located, includeChargerConfigurations)),
      });
    },
  });
