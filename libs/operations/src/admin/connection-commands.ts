import { explainRejection } from '@busbar/contracts';
import { listConnectionAttempts, type ConnectionAttempt } from '@busbar/domain/chargers';
import type { AdminCommand } from './command';
import { table } from './table';

const MAX_LISTED = 200;

export const connectionCommands: readonly AdminCommand[] = [
  {
    name: ['connections', 'rejected'],
    options: { charger: 'ID' },
    about:
      `list rejected connection attempts of the last 24 hours, also of ids that are not registered: ` +
      `at most ${String(MAX_LISTED)}, the newest first`,
    async run({ records, clock }, { options }) {
      const page = { page: 1, limit: MAX_LISTED, sortKey: 'at', sortDescending: true } as const;
      const deps = { attempts: records.connectionAttempts, clock };
      const { items, total } = await listConnectionAttempts(deps, { chargerId: options['charger'] }, page);
      const summary = `${String(items.length)} of ${String(total)}, the newest first`;
      return { lines: [...table(COLUMNS, items), summary, ...explained(items)], data: items.map(dataOf) };
    },
  },
];

const COLUMNS = [
  { header: 'TIME', value: ({ at }: ConnectionAttempt) => at },
  { header: 'CHARGER', value: ({ chargerId }: ConnectionAttempt) => chargerId ?? '(no id)' },
  { header: 'CLIENT', value: ({ clientId }: ConnectionAttempt) => clientId ?? '(not registered)' },
  { header: 'REASON', value: ({ reason }: ConnectionAttempt) => reason },
  { header: 'ATTEMPTS', value: ({ count }: ConnectionAttempt) => String(count) },
  { header: 'ADDRESS', value: ({ remoteAddress }: ConnectionAttempt) => remoteAddress ?? 'unknown' },
  { header: 'OFFERED', value: ({ protocols }: ConnectionAttempt) => protocols.join(',') || 'no subprotocol' },
  { header: 'REQUEST', value: ({ requestId }: ConnectionAttempt) => requestId },
];

/** Explains each of the reasons, and what to do. */
function explained(attempts: readonly ConnectionAttempt[]): readonly string[] {
  const reasons = [...new Set(attempts.map(({ reason }) => reason))];
  const lines = reasons.flatMap((reason) => {
    const meaning = explainRejection(reason);
    return meaning === undefined ? [] : [`${reason}: ${meaning}`];
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

function dataOf({ at, chargerId, clientId, remoteAddress, reason, protocols, requestId, count }: ConnectionAttempt) {
  const explanation = explainRejection(reason) ?? null;
  return { at, chargerId, clientId, remoteAddress, reason, explanation, protocols, requestId, count };
}
