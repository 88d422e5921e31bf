import { inUtc } from '@busbar/domain';
import type { ChargerReader } from '@busbar/domain/chargers';
import { readChargerLog, type HistoryReader } from '@busbar/domain/history';
import { listReply, pageSchema, pageWanted } from '@busbar/http';
import { presentExchange } from '../presenters/present-exchange';
import { route } from '../route';
import { exchangeSchema, ocppLogQuerySchema } from '../schemas/ocpp-log';
import { chargerParamsSchema } from '../schemas/values';

interface Deps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly history: Pick<HistoryReader, 'logPage'>;
}

export const ocppLogsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId/ocpp-logs',
    tag: 'Logs',
    operationId: 'listOcppLogs',
    summary: "Read a charger's OCPP log",
    description: 'Each item is a CALL of either side with its response. Heartbeats are left out by default.',
    permission: 'logs:read',
    params: chargerParamsSchema,
    query: ocppLogQuerySchema,
    response: pageSchema('OcppExchangePage', exchangeSchema),
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth: { clientId }, params: { chargerId }, query }) {
      const wanted = pageWanted(query, { sortKey: 'requestTimestamp', sortDescending: true });
      const filter = {
        from: inUtc(query.startDate),
        to: inUtc(query.endDate),
        actions: query.messageTypes,
        includeHeartbeats: query.includeHeartbeats ?? false,
        search: query.search,
        commandId: query.commandId,
      };
      const page = { ...wanted, sortKey: 'recorded' } as const;
      const { items, total } = await readChargerLog(deps, { clientId, chargerId }, filter, page);
      return listReply(page, { items: items.map(presentExchange), total });
    },
  });
