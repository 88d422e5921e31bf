import { UNREACHABLE_TICKS, createStoreReach } from './store-reach';

const repeat = (times: number, run: () => void): void => {
  for (let n = 0; n < times; n += 1) run();
};

describe('the reach of the store', () => {
  it('is not interrupted by short outages, however often they occur', () => {
    const reach = createStoreReach();
    repeat(10, () => {
      repeat(UNREACHABLE_TICKS - 1, () => reach.tick(false));
      expect(reach.answers()).toBe(true);
      reach.tick(true);
    });
  });

  it('ends after consecutive ticks without an answer, and is restored by the first answer', () => {
    const reach = createStoreReach();
    repeat(UNREACHABLE_TICKS, () => reach.tick(false));
    expect(reach.answers()).toBe(false);
    reach.tick(true);
    expect(reach.answers()).toBe(true);
  });

  it('is restored later after each short recovery, and immediately after a steady minute', () => {
    const reach = createStoreReach();
    const waits = [1, 2, 4, 8, 16, 30, 30].map(() => {
      repeat(UNREACHABLE_TICKS, () => reach.tick(false));
      let ticks = 0;
      for (; !reach.answers(); ticks += 1) reach.tick(true);
      return ticks;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    repeat(60, () => reach.tick(true));
    repeat(UNREACHABLE_TICKS, () => reach.tick(false));
    reach.tick(true);
    expect(reach.answers()).toBe(true);
  });
});
