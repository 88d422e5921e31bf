import { inUtc } from '@busbar/domain';
import {
  listConnections,
  type ChargerReader,
  type ConnectionReader,
  type ConnectionRecord,
} from '@busbar/domain/chargers';
import { listReply, pageSchema, pageWanted } from '@busbar/http';
import { route } from '../route';
import { connectionQuerySchema, connectionSchema } from '../schemas/connection';
import { chargerParamsSchema } from '../schemas/values';

interface Deps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly connectionHistory: ConnectionReader;
}

export const connectionsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId/connections',
    tag: 'Logs',
    operationId: 'listConnections',
    summary: "List a charger's connections",
    description: [
      'Each item is one websocket: when it opened, when it ended and why.',
      'The newest 1000 of a charger are kept, ended ones for the time that the operator configured (90 days by default).',
      'Attempts that were rejected are in `GET /v2/connection-attempts`.',
    ].join(' '),
    permission: 'logs:read',
    params: chargerParamsSchema,
    query: connectionQuerySchema,
    response: pageSchema('ConnectionPage', connectionSchema),
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth: { clientId }, params: { chargerId }, query }) {
      const page = pageWanted(query, { sortKey: 'connectedAt', sortDescending: true });
      const filter = { from: inUtc(query.from), to: inUtc(query.to) };
      const { items, total } = await listConnections(deps, { clientId, chargerId }, filter, page);
      return listReply(page, { items: items.map(presentConnection), total });
    },
  });

function presentConnection(record: ConnectionRecord) {
  const { connectedAt, disconnectedAt, gatewayId, remoteAddress, ocppVersion, securityProfile } = record;
  const { closeCode, closeReason } = record;
  return {
    connectedAt,
    disconnectedAt,
    gatewayId,
    remoteAddress,
    ocppVersion,
    securityProfile,
    closeCode,
    closeReason,
  };
}
