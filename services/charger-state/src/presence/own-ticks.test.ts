import { createOwnTicks, STEP_MS, TICK_MS } from './own-ticks';

const STEPS = TICK_MS / STEP_MS;
const LEASE_TICKS = 15;
/** A third of a lease, in steps. */
const PATIENCE = 5 * STEPS;

describe("a replica's own ticks", () => {
  it('sends them one after the other, each after the arrival and the period of the last', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, STEPS - 1)).toEqual([]);
    expect(sentIn(ticks, 1)).toEqual([1]);
    expect(ticks.confirm(1)).toBe(true);
    expect(sentIn(ticks, STEPS - 1)).toEqual([]);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('waits for one that is late, and continues with the next step', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, 3 * STEPS)).toEqual([1]);
    expect(ticks.confirm(1)).toBe(true);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('counts each once', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    sentIn(ticks, STEPS);
    expect([ticks.confirm(1), ticks.confirm(1)]).toEqual([true, false]);
  });

  it('gives one up after a third of a lease, and does not count it when it arrives later', () => {
    const ticks = createOwnTicks(LEASE_TICKS);
    expect(sentIn(ticks, STEPS + PATIENCE)).toEqual([1, 2]);
    expect([ticks.confirm(1), ticks.confirm(2), ticks.confirm(1)]).toEqual([false, true, false]);
  });

  it('awaits one for at least twice its period, however short the lease', () => {
    const ticks = createOwnTicks(1);
    expect(sentIn(ticks, STEPS + 2 * STEPS - 1)).toEqual([1]);
    expect(sentIn(ticks, 1)).toEqual([2]);
  });

  it('neither counts nor awaits one that was in flight when the connection was lost', () => {
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
