import type { Clock } from '@busbar/core';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { route } from '../route';

const countSchema = { type: 'integer', minimum: 0 } as const;

const statisticsSchema = {
  title: 'Statistics',
  type: 'object',
  properties: {
    groups: countSchema,
    chargers: countSchema,
    connectedChargers: countSchema,
    sockets: countSchema,
    socketsByStatus: {
      type: 'object',
      description: `Number of sockets in each status: ${CHARGING_STATES.join(', ')}.`,
      additionalProperties: countSchema,
    },
    transactionsInProgress: countSchema,
    transactionsToday: { ...countSchema, description: 'Transactions that began since midnight UTC.' },
    energyTodayWh: { type: 'number', description: 'Energy of transactions that ended since midnight UTC, in Wh.' },
    generatedAt: { type: 'string', format: 'date-time' },
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
