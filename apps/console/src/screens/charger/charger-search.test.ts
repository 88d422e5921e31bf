import { parseChargerSearch } from './charger-search';

it.each([
  [{}, {}],
  [
    { tab: 'sessions', session: 7, page: 2 },
    { tab: 'sessions', session: 7, page: 2 },
  ],
  [
    { tab: 'frames', filter: 17, heartbeats: true, failed: true, until: '2026-01-31T13:00:00+01:00', command: 'cmd_1' },
    {
      tab: 'frames',
      filter: '17',
      heartbeats: true,
      failed: true,
      until: '2026-01-31T12:00:00.000Z',
      command: 'cmd_1',
    },
  ],
  [
    { tab: 'held', reservations: 2, profiles: 3, tags: 4, period: 'week' },
    { tab: 'held', reservations: 2, profiles: 3, tags: 4, period: 'week' },
  ],
  [{ tab: 'x', page: 0, filter: '', heartbeats: 'yes', failed: 1, until: 'yesterday', period: 'year', tags: 1.5 }, {}],
])('reads the address of a charger %j as %j', (raw, expected) => {
  expect(parseChargerSearch(raw)).toEqual(expected);
});
