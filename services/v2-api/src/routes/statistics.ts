import type { Clock } from '@busbar/core';
import { INPUT_LIMITS, toTimestamp } from '@busbar/domain';
import { siteIdSchema } from '@busbar/api';
import { CHARGING_STATES, type ChargerLister } from '@busbar/domain/chargers';
import type { StatisticsReader } from '@busbar/domain/history';
import { field } from '@busbar/http';
import { route } from '../route';
import { common, count, number, recordSchema, timestampSchema } from '../schemas/values';

const socketsByStateSchema = {
  title: 'SocketsByState',
  type: 'object',
  description: `Number of sockets in each state: ${CHARGING_STATES.join(', ')}.`,
  additionalProperties: count,
  examples: [{ Available: 1, Charging: 1 }],
} as const;

const statisticsSchema = recordSchema('Statistics', 'Numbers of the client at this moment.', {
  sites: field(count, 'Number of sites.', 1),
  chargers: field(count, 'Number of chargers.', 1),
  connectedChargers: field(count, 'Number of connected chargers.', 1),
  sockets: field(count, 'Number of sockets.', 2),
  socketsByState: socketsByStateSchema,
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

const siteStatisticsSchema = recordSchema('SiteStatistics', 'Numbers of sites at this moment.', {
  items: {
    type: 'array',
    description: 'By site id. A site whose chargers have no socket is absent.',
    items: recordSchema('SiteSockets', 'The sockets of the chargers at a site, without those of sites below it.', {
      siteId: common.siteId,
      sockets: field(count, 'Number of sockets.', 2),
      socketsByState: socketsByStateSchema,
    }),
  },
  generatedAt: field(timestampSchema, 'When the numbers were counted.'),
});

const siteStatisticsQuerySchema = {
  type: 'object',
  required: ['siteIds'],
  properties: {
    siteIds: field(
      { type: 'array', items: siteIdSchema, minItems: 1, maxItems: INPUT_LIMITS.items },
      'Of these sites. Repeat it, or separate values by commas.',
      [1],
    ),
  },
} as const;

/** Only states with a socket are in the counts. Unknown sites, and those of other clients, have none. */
export const siteStatisticsRoute = (deps: {
  readonly chargers: Pick<ChargerLister, 'countSockets'>;
  readonly clock: Clock;
}) =>
  route({
    method: 'GET',
    path: '/statistics/sites',
    tag: 'Statistics',
    operationId: 'getSiteStatistics',
    summary: 'Count sockets by site and state',
    permission: 'chargers:read',
    query: siteStatisticsQuerySchema,
    response: siteStatisticsSchema,
    errors: ['invalid_site_id'],
    async handler({ auth, query }) {
      const bySite = await deps.chargers.countSockets(auth.clientId, [...new Set(query.siteIds)]);
      const items = [...bySite]
        .sort(([a], [b]) => a - b)
        .map(([siteId, counts]) => {
          const sockets = [...counts.values()].reduce((sum, each) => sum + each, 0);
          return { siteId, sockets, socketsByState: Object.fromEntries(counts) };
        });
      return { items, generatedAt: toTimestamp(deps.clock.now()) };
    },
  });
