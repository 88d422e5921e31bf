import { createFakeClock } from '@busbar/testing';
import type { ConnectionAttemptFilter, ConnectionAttemptReader } from './connection-attempt';
import { listConnectionAttempts } from './list-connection-attempts';

const PAGE = { page: 2, limit: 10, sortKey: 'at', sortDescending: true } as const;
const OLDEST = '2026-01-31T12:00:00.000Z';
const clock = () => createFakeClock(new Date('2026-02-01T12:00:00.000Z'));

describe('the rejected attempts of connections', () => {
  it.each<[string, ConnectionAttemptFilter, ConnectionAttemptFilter]>([
    ['of the last day', {}, { from: OLDEST }],
    [
      'of a client and a charger',
      { clientId: 'client', chargerId: 'C' },
      { clientId: 'client', chargerId: 'C', from: OLDEST },
    ],
    ['from a time of the last day', { from: '2026-02-01T00:00:00.000Z' }, { from: '2026-02-01T00:00:00.000Z' }],
    ['from no time before', { from: '2026-01-31T11:59:59.999Z' }, { from: OLDEST }],
    ['to a time', { to: '2026-02-01T00:00:00.000Z' }, { from: OLDEST, to: '2026-02-01T00:00:00.000Z' }],
  ])('are listed %s', async (_title, filter, expected) => {
    const found = { items: [], total: 7 };
    const list = jest.fn<ReturnType<ConnectionAttemptReader['list']>, unknown[]>(() => Promise.resolve(found));
    expect(await listConnectionAttempts({ attempts: { list }, clock: clock() }, filter, PAGE)).toBe(found);
    expect(list.mock.calls).toEqual([[expected, PAGE]]);
  });
});
