import { listConnectionAttempts, type ConnectionAttempt } from '@busbar/domain/chargers';
import type { AdminCommand } from './command';

const MAX_LISTED = 200;

export const connectionCommands: readonly AdminCommand[] = [
  {
    name: ['connections', 'refused'],
    positionals: [],
    options: { charger: 'ID' },
    about:
      `list rejected connection attempts of the last 24 hours, also of ids that are not registered: ` +
      `at most ${String(MAX_LISTED)}, the newest first`,
    async run({ records, clock }, { options }) {
      const page = { page: 1, limit: MAX_LISTED, sortKey: 'at', sortDescending: true } as const;
      const deps = { attempts: records.connectionAttempts, clock };
      const { items, total } = await listConnectionAttempts(deps, { chargerId: options['charger'] }, page);
      const summary = `${String(items.length)} of ${String(total)}, the newest first`;
      return { lines: [...items.map(lineOf), summary], data: items.map(dataOf) };
    },
  },
];

function lineOf({ at, chargerId, clientId, reason, remoteAddress, protocols, requestId, count }: ConnectionAttempt) {
  return [
    at,
    chargerId ?? '(no id)',
    clientId === null ? '(not registered)' : `client ${clientId}`,
    reason,
    `from ${remoteAddress ?? 'an unknown address'}`,
    protocols.length === 0 ? 'no subprotocol' : protocols.join(','),
    `request ${requestId}`,
    ...(count === 1 ? [] : [`${String(count)} times`]),
  ].join('  ');
}

function dataOf({ at, chargerId, clientId, remoteAddress, reason, protocols, requestId, count }: ConnectionAttempt) {
  return { at, chargerId, clientId, remoteAddress, reason, protocols, requestId, count };
}
