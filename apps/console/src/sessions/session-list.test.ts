import { endedBy, inProgressFirst, sumOf, type Session } from './session-list';

const session = (transactionId: number) => ({ transactionId, state: 'ongoing', endTime: null }) as Session;
const page = (ids: readonly number[], totalRecords: number) => ({
  items: ids.map(session),
  totalRecords,
  hasNextPage: true,
});

describe('the first page of sessions', () => {
  it('begins with those in progress, has each once, and counts all', () => {
    const { items, ...rest } = inProgressFirst(page([7, 2], 2), page([9, 8, 7, 6], 40));
    expect(items.map(({ transactionId }) => transactionId)).toEqual([7, 2, 9, 8, 6]);
    expect(rest).toEqual({ totalRecords: 40, hasNextPage: true, inProgress: { shown: 2, total: 2 } });
  });
});

it.each([
  ['all of them', [1_500, 2_500, 0], 3, { shown: 3, total: 3, energyWh: 4_000, unknown: 0 }],
  ['one page of them', [1_500], 340, { shown: 1, total: 340, energyWh: 1_500, unknown: 0 }],
  ['some without energy', [1_500, null], 2, { shown: 2, total: 2, energyWh: 1_500, unknown: 1 }],
  ['more than a stale count has', [1, 1], 1, { shown: 2, total: 2, energyWh: 2, unknown: 0 }],
] as const)('the sum of a page that has %s', (_, energies, totalRecords, sum) => {
  const items = energies.map((consumptionWh, n) => ({ ...session(n), consumptionWh }));
  expect(sumOf({ items, totalRecords, hasNextPage: false })).toEqual(sum);
});

it.each([
  [false, 'ended'],
  [true, 'superseded'],
])('a session whose end superseded it: %s becomes %s', (superseded, state) => {
  const end = { endTime: '2026-01-31T12:30:00.000Z', consumptionWh: 5, meterStop: 6, stopReason: 'Local' };
  const ended = endedBy(session(1), { ...end, superseded } as Parameters<typeof endedBy>[1]);
  expect(ended).toEqual({ ...session(1), ...end, state });
});
