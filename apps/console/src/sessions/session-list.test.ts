import { endedBy, inProgressFirst, type Session } from './session-list';

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
  [false, 'ended'],
  [true, 'superseded'],
])('a session whose end superseded it: %s becomes %s', (superseded, state) => {
  const end = { endTime: '2026-01-31T12:30:00.000Z', consumptionWh: 5, meterStop: 6, stopReason: 'Local' };
  const ended = endedBy(session(1), { ...end, superseded } as Parameters<typeof endedBy>[1]);
  expect(ended).toEqual({ ...session(1), ...end, state });
});
