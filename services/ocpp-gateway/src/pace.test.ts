import { createFakeClock } from '@busbar/testing';
import { createPace } from './pace';

describe('the pace of one charger', () => {
  it('costs nothing where nothing is bounded', () => {
    expect(createPace(createFakeClock(), { messagesPerS: 0, bytesPerS: 0 })).toBeUndefined();
  });

  it('lets a second of messages through at once, and then as many as the bound says', () => {
    const clock = createFakeClock();
    const pace = createPace(clock, { messagesPerS: 10, bytesPerS: 0 });
    const holds = Array.from({ length: 12 }, () => pace?.(1_000_000));
    expect(holds).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200]);
    clock.advance(300);
    expect(pace?.(1)).toBe(0);
    clock.advance(60_000);
    expect(Array.from({ length: 11 }, () => pace?.(1)).at(-1)).toBe(100);
  });

  it('bounds bytes too, a large frame being a debt that is held for ten seconds at a time', () => {
    const clock = createFakeClock();
    const pace = createPace(clock, { messagesPerS: 1_000, bytesPerS: 1_000 });
    expect(pace?.(1_500)).toBe(500);
    clock.advance(500);
    expect(pace?.(10_000_000)).toBe(10_000);
  });
});
