import { createFakeClock } from '@busbar/testing';
import { createTrafficLimit } from './traffic-limit';

describe('the rate limit of one charger', () => {
  it('costs nothing where nothing is limited', () => {
    expect(createTrafficLimit(createFakeClock(), { messagesPerS: 0, bytesPerS: 0 })).toBeUndefined();
  });

  it('allows a burst of ten seconds of messages, then the sustained rate', () => {
    const clock = createFakeClock();
    const limit = createTrafficLimit(clock, { messagesPerS: 10, bytesPerS: 0 });
    const debts = Array.from({ length: 102 }, () => limit?.take(1_000_000));
    expect(debts.slice(0, 100).every((debt) => debt === 0)).toBe(true);
    expect(debts.slice(100)).toEqual([100, 200]);
    clock.advance(300);
    expect(limit?.take(1)).toBe(0);
    clock.advance(60_000);
    expect(Array.from({ length: 101 }, () => limit?.take(1)).at(-1)).toBe(100);
  });

  it('allows a burst of ten seconds of bytes; the excess is a debt', () => {
    const clock = createFakeClock();
    const limit = createTrafficLimit(clock, { messagesPerS: 1_000, bytesPerS: 1_000 });
    expect(limit?.take(10_500)).toBe(500);
    expect(limit?.debtMs()).toBe(500);
    clock.advance(200);
    expect(limit?.debtMs()).toBe(300);
    clock.advance(300);
    expect(limit?.debtMs()).toBe(0);
    expect(limit?.take(250_000)).toBe(250_000);
  });

  it('ends every debt within ten minutes', () => {
    const limit = createTrafficLimit(createFakeClock(), { messagesPerS: 0, bytesPerS: 1 });
    expect(limit?.take(1_000_000_000)).toBe(600_000);
  });
});
