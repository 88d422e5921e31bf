import type { Clock } from '@busbar/core';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { field } from '@busbar/http';
import { route } from '../route';
import { count } from '../schemas/values';

const statisticsSchema = {
  title: 'Statistics',
  type: 'object',
  description: 'Numbers of the client at this moment.',
  properties: {
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
    energyTodayWh: field({ type: 'number' }, 'Energy of transactions that ended since midnight UTC, in Wh.', 73_600),
    generatedAt: field(
      { type: 'string', format: 'date-time' },
      'When the numbers were counted.',
      '2026-01-31T12:00:00.000Z',
    ),
  },
  required: [
    'groups',
    'chargers',
    'connectedChargers',
    'sockets',
    'socketsByStatus',
    'transactionsInProgress',
    'transactionsToday',
    'energyTodayWh',
    'generatedAt',
  ],
  additionalProperties: false,
} as const;

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
      const numbers = await deps.statistics.read(auth.clientId, deps.clock.now());
      return {
        groups: numbers.sites,
        chargers: numbers.chargers,
        connectedChargers: numbers.connectedChargers,
        sockets: numbers.sockets,
        socketsByStatus: numbers.socketsByState,
        transactionsInProgress: numbers.sessionsInProgress,
        transactionsToday: numbers.sessionsToday,
        energyTodayWh: numbers.energyTodayWh,
        generatedAt: numbers.generatedAt,
      };
    },
  });
