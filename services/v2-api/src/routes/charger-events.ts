import { inUtc } from '@busbar/domain';
import type { ChargerReader } from '@busbar/domain/chargers';
import { readChargerEvents, type HistoryReader } from '@busbar/domain/history';
import { listReply, pageSchema, pageWanted } from '@busbar/http';
import { presentChargerEvent } from '../presenters/present-charger-event';
import { route } from '../route';
import { chargerEventQuerySchema, chargerEventSchema } from '../schemas/charger-event';
import { chargerParamsSchema } from '../schemas/values';

interface Deps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly history: Pick<HistoryReader, 'eventPage'>;
}

export const chargerEventsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId/events',
    tag: 'Chargers',
    operationId: 'listChargerEvents',
    summary: 'List the events that a charger reported',
    description: [
      'Each item is what the charger itself reported as an event, of any OCPP version: security events, each event of a NotifyEvent of OCPP 2.x,',
      'progress of firmware, diagnostics and logs, data of vendors, and other notifications.',
      'They are stored for the time that the operator configured (90 days by default).',
      'Statuses of sockets are in `GET /v2/chargers/state-time-series`; `GET /v2/events` has what the service makes of all of them.',
    ].join(' '),
    permission: 'chargers:read',
    params: chargerParamsSchema,
    query: chargerEventQuerySchema,
    response: pageSchema('ChargerEventPage', chargerEventSchema),
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth: { clientId }, params: { chargerId }, query }) {
      const page = pageWanted(query, { sortKey: 'receivedAt', sortDescending: true });
      const { component, severity: severities } = query;
      const filter = { from: inUtc(query.from), to: inUtc(query.to), component, severities };
      const { items, total } = await readChargerEvents(deps, { clientId, chargerId }, filter, page);
      return listReply(page, { items: items.map(presentChargerEvent), total });
    },
  });
