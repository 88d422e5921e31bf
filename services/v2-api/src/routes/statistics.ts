import type { Clock } from '@busbar/core';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { route } from '../route';
import { timestampSchema, recordSchema } from '../schemas/values';

const countSchema = { type: 'integer', minimum: 0 } as const;

const statisticsSchema = recordSchema('Statistics', {
  sites: countSchema,
  chargers: countSchema,
  connectedChargers: countSchema,
  sockets: countSchema,
  socketsByState: {
    type: 'object',
    description: `Number of sockets in each state: ${CHARGING_STATES.join(', ')}.`,
    additionalProperties: countSchema,
  },
  sessionsInProgress: countSchema,
  sessionsToday: { ...countSchema, description: 'Sessions that began since midnight UTC.' },
  energyTodayWh: { type: 'number', description: 'Energy of sessions that ended since midnight UTC, in Wh.' },
  generatedAt: timestampSchema,
});

export const statisticsRoute = (deps: { readonly statistics: StatisticsReader; readonly clock: Clock }) =>
  route({
    method: 'GET',
    path: '/statistics',
    tag: 'Statistics',
    summary: 'Read statistics of the network',
    permission: 'chargers:read',
    response: statisticsSchema,
    handler: ({ auth }) => deps.statistics.read(auth.clientId, deps.clock.now()),
  });
