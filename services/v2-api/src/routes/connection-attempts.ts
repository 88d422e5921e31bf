import type { Clock } from '@busbar/core';
import { inUtc } from '@busbar/domain';
import { listConnectionAttempts, type ConnectionAttempt, type ConnectionAttemptReader } from '@busbar/domain/chargers';
import { listReply, pageSchema, pageWanted } from '@busbar/http';
import { route } from '../route';
import { connectionAttemptQuerySchema, connectionAttemptSchema } from '../schemas/connection-attempt';

interface Deps {
  readonly connectionAttempts: ConnectionAttemptReader;
  readonly clock: Clock;
}

export const connectionAttemptsRoute = ({ connectionAttempts: attempts, clock }: Deps) =>
  route({
    method: 'GET',
    path: '/connection-attempts',
    tag: 'Logs',
    operationId: 'listConnectionAttempts',
    summary: 'List rejected connection attempts',
    description: [
      "The client's chargers only, the last 24 hours, at most 100 attempts of each charger.",
      'An attempt can take a minute to appear.',
    ].join(' '),
    permission: 'logs:read',
    query: connectionAttemptQuerySchema,
    response: pageSchema('ConnectionAttemptPage', connectionAttemptSchema),
    errors: ['invalid_charger_id'],
    async handler({ auth: { clientId }, query }) {
      const page = pageWanted(query, { sortKey: 'at', sortDescending: true });
      const { chargerId } = query;
      const filter = { clientId, chargerId, from: inUtc(query.from), to: inUtc(query.to) };
      const { items, total } = await listConnectionAttempts({ attempts, clock }, filter, page);
      return listReply(page, { items: items.map(presentAttempt), total });
    },
  });

/** An attempt of a client's charger always has a charger id. */
function presentAttempt(attempt: ConnectionAttempt) {
  const { at, chargerId, remoteAddress, reason, protocols, requestId, count } = attempt;
  return { at, chargerId: chargerId ?? '', remoteAddress, reason, protocols, requestId, count };
}
