import { createOwnTicks, STEP_MS, TICK_MS } from './own-ticks';

const STEPS = TICK_MS / STEP_MS;
const LEASE_TICKS = 15;
/** A third of a lease, in steps. */
const PATIENCE = 5 * STEPS;

describe("a replica's own ticks", () => {
  it('are sent one after the other, each after the arrival and the period of the last', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, STEPS - 1)).toEqual([]);
    expect(sentIn(ticks, 1)).toEqual([1]);
    expect(ticks.confirm(1)).toBe(true);
    expect(sentIn(ticks, STEPS - 1)).toEqual([]);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('wait for one that is late, and continue with the next step', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, 3 * STEPS)).toEqual([1]);
    expect(ticks.confirm(1)).toBe(true);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('count once each', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    sentIn(ticks, STEPS);
    expect([ticks.confirm(1), ticks.confirm(1)]).toEqual([true, false]);
  });

  it('are given up after a third of a lease, and do not count when they arrive later', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, STEPS + PATIENCE)).toEqual([1, 2]);
    expect([ticks.confirm(1), ticks.confirm(2), ticks.confirm(1)]).toEqual([false, true, false]);
  });

  it('are awaited for at least twice their period, however short the lease', () => {
    const ticks = createOwnTicks(1);
    expect(sentIn(ticks, STEPS + 2 * STEPS - 1)).toEqual([1]);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('in flight when the connection was lost do not count, and are not awaited', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    sentIn(ticks, STEPS);
    ticks.reset();
    expect(ticks.confirm(1)).toBe(false);
    expect(sentIn(ticks, STEPS)).toEqual([2]);
  });
});

function sentIn(ticks: ReturnType<typeof createOwnTicks>, steps: number): number[] {
  return Array.from({ length: steps }, () => ticks.step()).filter((number) => number !== undefined);
}
