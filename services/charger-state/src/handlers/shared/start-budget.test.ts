import type { Charger } from '@busbar/domain/chargers';
import { newCharger, newSession } from '@busbar/domain/testing';
import { isOverStartLimit, withStartCounted, withStartRefused, withStartSeen } from './start-budget';

const on = (day: string): string => `2026-01-${day}T12:00:00.000Z`;
const count = (charger: Charger, transactionId: number, day: string) =>
  withStartCounted(charger, newSession({ transactionId }), on(day));
const TWICE = count(count(newCharger(), 1, '01'), 2, '01');

describe('the starts of a charger', () => {
  it.each([
    ['reach a limit of as many', '01', 2, true],
    ['do not reach a greater limit', '01', 3, false],
    ['have no limit of 0', '01', 0, false],
    ['count anew on the next day (UTC)', '02', 2, false],
  ])('%s', (_title, day, limit, isOver) => {
    expect(isOverStartLimit(TWICE, on(day), limit)).toBe(isOver);
  });

  it('begin anew each day (UTC), with those that were refused', () => {
    const refused = withStartRefused(TWICE, on('01'));
    expect(refused.reported.starts).toEqual({ day: '2026-01-01', count: 2, refused: 1, lastTransactionId: 2 });
    const next = count(refused, 3, '02');
    expect(next.reported.starts).toEqual({ day: '2026-01-02', count: 1, refused: 0, lastTransactionId: 3 });
  });

  it('count a session once', () => {
    expect(count(TWICE, 2, '01')).toBe(TWICE);
  });

  it('do not count one that meter values show, nor its start after them', () => {
    const seen = withStartSeen(TWICE, newSession({ transactionId: 3 }), on('01'));
    expect(seen.reported.starts).toEqual({ day: '2026-01-01', count: 2, refused: 0, lastTransactionId: 3 });
    expect(count(seen, 3, '01')).toBe(seen);
    expect(withStartSeen(seen, newSession({ transactionId: 3 }), on('01'))).toBe(seen);
  });
});
