import type { Clock } from '@busbar/core';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { field } from '@busbar/http';
import { route } from '../route';
import { count, number, recordSchema, timestampSchema } from '../schemas/values';

const statisticsSchema = recordSchema('Statistics', 'Numbers of the client at this moment.', {
  sites: field(count, 'Number of sites.', 1),
  chargers: field(count, 'Number of chargers.', 1),
  connectedChargers: field(count, 'Number of connected chargers.', 1),
  sockets: field(count, 'Number of sockets.', 2),
  socketsByState: {
    title: 'SocketsByState',
    type: 'object',
    description: `Number of sockets in each state: ${CHARGING_STATES.join(', ')}.`,
    additionalProperties: count,
    examples: [{ Available: 1, Charging: 1 }],
  },
  sessionsInProgress: field(count, 'Number of sessions in progress.', 1),
  sessionsToday: field(count, 'Sessions that began since midnight UTC.', 5),
  energyTodayWh: field(number, 'Energy of sessions that ended since midnight UTC, in Wh.', 73_600),
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
    handler: ({ auth }) => deps.statistics.read(auth.clientId, deps.clock.now()),
  });
