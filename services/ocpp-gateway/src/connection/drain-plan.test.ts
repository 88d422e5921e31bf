import { createFakeClock } from '@busbar/testing';
import { createDrainPlan, DRAIN_TICK_MS } from './drain-plan';

interface Situation {
  readonly sockets: number;
  readonly drainMs: number;
  /** Until when a CALL is in flight on a socket, by its number. */
  readonly busyUntilMs?: Readonly<Record<number, number>>;
  /** The gateway is suspended: from when, and for how long. */
  readonly stall?: { readonly atMs: number; readonly ms: number };
}

/** When each socket is closed, by its number, as the gateway's ticks go. */
function closesOf({ sockets, drainMs, busyUntilMs = {}, stall }: Situation): readonly number[] {
  const clock = createFakeClock();
  const closes: number[] = [];
  const plan = createDrainPlan({
    sockets: Array.from({ length: sockets }, (_, socket) => socket),
    drainMs,
    startMs: clock.monotonicMs(),
    isBusy: (socket) => clock.monotonicMs() < (busyUntilMs[socket] ?? 0),
  });
  while (!plan.isDone()) {
    const now = clock.monotonicMs();
    for (const socket of plan.due(now)) closes[socket] = now;
    clock.advance(now === stall?.atMs ? stall.ms : DRAIN_TICK_MS);
  }
  return closes;
}

/** The most closes in any second. */
function maxInASecond(closes: readonly number[]): number {
  const sorted = [...closes].sort((a, b) => a - b);
  return Math.max(...sorted.map((from, at) => sorted.slice(at).filter((close) => close < from + 1000).length));
}

describe('the plan of a drain', () => {
  it.each<[string, Situation, readonly number[]]>([
    ['closes a single socket at once', { sockets: 1, drainMs: 10_000 }, [0]],
    ['spreads few sockets over the whole time', { sockets: 4, drainMs: 10_000 }, [0, 2_500, 5_000, 7_500]],
    ['closes all at once where they are few and no time is given', { sockets: 3, drainMs: 0 }, [0, 0, 0]],
    [
      'waits for the end of a CALL in flight, and keeps the turns of the others',
      { sockets: 4, drainMs: 4_000, busyUntilMs: { 0: 1_500, 2: 2_010 } },
      [1_500, 1_000, 2_050, 3_000],
    ],
    [
      'waits 3 s for a CALL in flight, and no longer',
      { sockets: 2, drainMs: 10_000, busyUntilMs: { 0: 60_000, 1: 60_000 } },
      [3_000, 8_000],
    ],
    ['does not ask for CALLs before the turn', { sockets: 2, drainMs: 10_000, busyUntilMs: { 1: 4_000 } }, [0, 5_000]],
  ])('%s', (_what, situation, expected) => {
    expect(closesOf(situation)).toEqual(expected);
  });

  it.each<[string, Situation, number]>([
    ['evenly', { sockets: 600, drainMs: 60_000 }, 10],
    ['at most 2,000 a second where the time is too short', { sockets: 6_000, drainMs: 1_000 }, 2_000],
    ['at most 2,000 a second without any time', { sockets: 6_000, drainMs: 0 }, 2_000],
    [
      'at no more than one and a half times the pace after it was suspended',
      { sockets: 600, drainMs: 60_000, stall: { atMs: 5_000, ms: 20_000 } },
      15,
    ],
    [
      'at no more than one and a half times the pace when many CALLs end at once',
      {
        sockets: 600,
        drainMs: 60_000,
        busyUntilMs: Object.fromEntries(Array.from({ length: 300 }, (_, socket) => [socket, 5_000])),
      },
      15,
    ],
    [
      'at no more than one and a half times a pace that is no whole number a tick',
      { sockets: 302, drainMs: 10_000, stall: { atMs: 2_000, ms: 2_000 } },
      46,
    ],
  ])('closes sockets %s', (_what, situation, limit) => {
    const closes = closesOf(situation);
    expect(closes).toHaveLength(situation.sockets);
    expect(maxInASecond(closes)).toBeLessThanOrEqual(limit);
  });

  it('needs no longer than the given time', () => {
    expect(Math.max(...closesOf({ sockets: 600, drainMs: 60_000 }))).toBeLessThan(60_000);
    expect(Math.max(...closesOf({ sockets: 6_000, drainMs: 0 }))).toBeLessThan(3_000);
  });

  it('is done at once without sockets', () => {
    expect(closesOf({ sockets: 0, drainMs: 60_000 })).toEqual([]);
  });
});
