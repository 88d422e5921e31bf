import type { Clock } from '@busbar/core';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { field } from '@busbar/http';
import { route } from '../route';
import { count, number, recordSchema, timestampSchema } from '../schemas/values';

const statisticsSchema = recordSchema('Statistics', 'Numbers of the client at this moment.', {
  groups: field(count, 'Number of groups.', 1),
  chargers: field(count, 'Number of chargers.', 1),
  connectedChargers: field(count, 'Number of connected chargers.', 1),
  sockets: field(count, 'Number of sockets.', 2),
  socketsByStatus: {
    title: 'SocketsByStatus',
    type: 'object',
    description: `Number of sockets in each status: ${CHARGING_STATES.join(', ')}.`,
    additionalProperties: count,
    examples: [{ Available: 1, Charging: 1 }],
  },
  transactionsInProgress: field(count, 'Number of transactions in progress.', 1),
  transactionsToday: field(count, 'Transactions that began since midnight UTC.', 5),
  energyTodayWh: field(number, 'Energy of transactions that ended since midnight UTC, in Wh.', 73_600),
  generatedAt: field(timestampSchema, 'When the numbers were counted.'),
});

export const statisticsRoute = (deps: { readonly statistics: StatisticsReader; readonly clock: Clock }) =>
  route({
    method: 'GET',
    path: '/statistics',
    tag: 'Statistics',
    operationId: 'getStatistics',
    summary: 'Read statistics of the network',
    permission: 'chargers:read',
    response: statisticsSchema,
    async handler({ auth }) {
      const { sites, socketsByState, sessionsInProgress, sessionsToday, ...same } = await deps.statistics.read(
        auth.clientId,
        deps.clock.now(),
      );
      return {
        ...same,
        groups: sites,
        socketsByStatus: socketsByState,
        transactionsInProgress: sessionsInProgress,
        transactionsToday: sessionsToday,
      };
    },
  });
