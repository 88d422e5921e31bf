import { listChargers, type ListChargersDeps } from '@busbar/domain/chargers';
import { listReply, pageSchema, pageWanted } from '@busbar/http';
import { presentListedCharger } from '../presenters/present-charger';
import { route } from '../route';
import { chargerQuerySchema, listedChargerSchema } from '../schemas/charger';

export const listChargersRoute = (deps: ListChargersDeps) =>
  route({
    method: 'GET',
    path: '/chargers',
    tag: 'Chargers',
    summary: 'List chargers',
    description: [
      'Default order: by chargerId. A charger matches all filters.',
      '`search` matches the beginning of the chargerId or the name, without case.',
      'A `totalRecords` above 10,000 may be some minutes old.',
    ].join(' '),
    permission: 'chargers:read',
    query: chargerQuerySchema,
    response: pageSchema(listedChargerSchema),
    errors: ['invalid_site_id'],
    async handler({ auth, query }) {
      const page = pageWanted(query, { sortKey: 'chargerId', sortDescending: false });
      const { includeChargerConfigurations = false } = query;
      const { items, total } = await listChargers(deps, auth.clientId, query, page);
      return listReply(page, {
        items: items.map((located) => presentListedCharger(located, includeChargerConfigurations)),
        total,
      });
    },
  });
