import type { Clock } from '@busbar/core';
import { inUtc } from '@busbar/domain';
import { listStateChanges, siteStateCounts, type ReadStatesDeps, type StateQuery } from '@busbar/domain/history';
import { listReply, pageWanted } from '@busbar/http';
import { route } from '../route';
import {
  chargerStatesQuerySchema,
  chargerStatesSchema,
  siteStatesQuerySchema,
  siteStatesReplySchema,
} from '../schemas/states';

type Deps = ReadStatesDeps & { readonly clock: Clock };

const COUNTED_REPORTS =
  'Every status report of a socket counts, also one that repeats the status before it. Socket 0 is the charger itself. Offline and Booting are not included: the service derives them.';

export const chargerStatesRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/chargers/state-time-series',
    tag: 'Chargers',
    operationId: 'listChargerStates',
    summary: 'List reported socket states',
    description: `${COUNTED_REPORTS} \`countsByState\` covers all pages.`,
    permission: 'chargers:read',
    query: chargerStatesQuerySchema,
    response: chargerStatesSchema,
    errors: ['invalid_charger_id', 'invalid_site_id'],
    async handler({ auth, query }) {
      const page = pageWanted(query, { sortKey: 'at', sortDescending: false });
      const found = await listStateChanges(deps, auth.clientId, queryOf(deps, query), page);
      const items = found.items.map(({ at, chargerId, siteId, socketId, state, errorCode }) => {
        return { at, chargerId, siteId, socketId, state, errorCode };
      });
      const { filter, countsByState, total } = found;
      return { from: filter.from, to: filter.to, countsByState, ...listReply(page, { items, total }) };
    },
  });

export const siteStatesRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/sites/state-time-series',
    tag: 'Sites',
    operationId: 'listSiteStates',
    summary: 'Count reported socket states by site and day',
    description: `${COUNTED_REPORTS} Each item is a site.`,
    permission: 'chargers:read',
    query: siteStatesQuerySchema,
    response: siteStatesReplySchema,
    errors: ['invalid_charger_id', 'invalid_site_id'],
    async handler({ auth, query }) {
      const page = pageWanted(query, { sortKey: 'id', sortDescending: false });
      const { items, total, filter } = await siteStateCounts(deps, auth.clientId, queryOf(deps, query), page);
      const shown = items.map(({ site, countsByState, days }) => {
        return { siteId: site.siteId, siteName: site.name, countsByState, days };
      });
      return { from: filter.from, to: filter.to, ...listReply(page, { items: shown, total }) };
    },
  });

function queryOf({ clock }: Deps, { from, to, ...query }: StateQuery): StateQuery & { readonly now: Date } {
  const { chargerIds, siteIds, socketIds, includeSubsites } = query;
  const named = { chargerIds, siteIds, socketIds, includeSubsites };
  return { ...named, from: inUtc(from), to: inUtc(to), now: clock.now() };
}
