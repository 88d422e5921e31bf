import type { Charger } from '@busbar/domain/chargers';

/** What reports change of a charger's record with every message, and what those writes compare. */
export const LIVE_PATHS = [
  'incarnationId',
  'revision',
  'applied',
  'outbox',
  'updatedAt',
  ...(
    [
      'lastSeen',
      'lastMessage',
      'lastMessageBytes',
      'lastPosition',
      'status',
      'ownState',
      'tally',
      'sockets',
      'ongoing',
      'deviations',
      'changedValues',
      'recentMessages',
    ] satisfies readonly (keyof Charger['reported'])[]
  ).map((path) => `reported.${path}`),
];
