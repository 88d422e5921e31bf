import type { Timestamp } from '@busbar/domain';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createRetentionHorizon } from './retention-horizon';

const DAY = 86_400_000;
const MINUTE = 60_000;
const START = Date.parse('2026-06-01T00:00:00.000Z');
const timestampAt = (ms: number): Timestamp => new Date(ms).toISOString();

describe('the time of retention', () => {
  it('begins with the clock, and follows it minute by minute', async () => {
    const store = createStore();
    const { round } = createReplica(store);
    expect(await round()).toBe(START + MINUTE);
    for (let n = 2; n < 10; n += 1) expect(await round()).toBe(START + n * MINUTE);
  });

  it('begins no more than a day after the newest row', async () => {
    const store = createStore();
    store.newest = START - 5 * DAY;
    const { round } = createReplica(store);
    await round();
    expect(store.retainedUntil()).toBe(START - 4 * DAY);
  });

  it('is suspended while the clock is more than a day ahead of the newest row, with one error and a metric', async () => {
    const store = createStore(START);
    store.newest = START;
    const { round, logger, states, setClock } = createReplica(store);
    setClock(200 * DAY);
    for (let n = 0; n < 5; n += 1) expect(await round()).toBeUndefined();
    expect(store.retainedUntil()).toBe(START);
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(states.at(-1)).toMatchObject({ suspended: true });
    setClock(0);
    await round();
    await round();
    expect(states.at(-1)).toEqual({ suspended: false, lagMs: 3 * MINUTE });
    expect(logger.lines.at(-1)).toMatchObject({ level: 'info' });
  });

  it('moves two days a day at most when rows agree with a clock that jumped', async () => {
    const store = createStore(START);
    const { round, logger, setClock, now } = createReplica(store);
    await round();
    setClock(200 * DAY);
    for (let n = 0; n < 24 * 60; n += 1) {
      store.newest = now();
      await round();
    }
    expect(store.retainedUntil() - START).toBeLessThanOrEqual(2 * DAY + 2 * MINUTE);
    expect(store.retainedUntil() - START).toBeGreaterThan(1.9 * DAY);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('moves two days a day at most with several replicas together', async () => {
    const store = createStore(START);
    const replicas = [createReplica(store), createReplica(store), createReplica(store)];
    for (const { setClock } of replicas) setClock(200 * DAY);
    for (let n = 0; n < 60; n += 1) {
      store.newest = START + 201 * DAY;
      // Two compare at the same moment, the third later.
      await Promise.all(replicas.slice(0, 2).map(({ round }) => round()));
      await replicas[2]?.round();
    }
    expect(store.retainedUntil() - START).toBeLessThanOrEqual(2 * 60 * MINUTE);
  });

  it('is suspended for the one replica whose clock is ahead of the others', async () => {
    const store = createStore(START);
    const { round, setClock } = createReplica(store, (now) => [now - 200 * DAY]);
    setClock(200 * DAY);
    expect(await round()).toBeUndefined();
    expect(store.retainedUntil()).toBe(START);
  });

  it('is suspended for the one replica whose clock is ahead, also when chargers report to its machine', async () => {
    const store = createStore(START);
    const { round, setClock, now } = createReplica(store, (time) => [time - 200 * DAY]);
    setClock(200 * DAY);
    store.newest = now();
    for (let n = 0; n < 2 * 24 * 60; n += 1) expect(await round()).toBeUndefined();
    expect(store.retainedUntil()).toBe(START);
  });

  it('is suspended where all replicas jumped together and rows are old', async () => {
    const store = createStore(START);
    store.newest = START;
    const { round, setClock } = createReplica(store, (time) => [time]);
    setClock(200 * DAY);
    expect(await round()).toBeUndefined();
    expect(store.retainedUntil()).toBe(START);
  });

  it('continues in a quiet network, whose newest row is old', async () => {
    const store = createStore();
    store.newest = START;
    const { round, now } = createReplica(store);
    for (let n = 0; n < 3 * 24 * 60; n += 1) await round();
    expect(store.retainedUntil()).toBe(now());
  });

  it('catches up after a day in a network without reports, after a long stop', async () => {
    const store = createStore(START - 10 * DAY);
    store.newest = START - 10 * DAY;
    const { round } = createReplica(store);
    for (let n = 0; n < 24 * 60; n += 1) expect(await round()).toBeUndefined();
    for (let n = 0; n < 24 * 60; n += 1) await round();
    const moved = store.retainedUntil() - (START - 10 * DAY);
    expect(moved).toBeGreaterThan(1.9 * DAY);
    expect(moved).toBeLessThanOrEqual(2 * DAY);
  });

  it('does not make up for the time of a suspension', async () => {
    const store = createStore(START);
    store.newest = START;
    const { round, setClock, now } = createReplica(store);
    setClock(200 * DAY);
    for (let n = 0; n < 600; n += 1) await round();
    store.newest = now();
    await round();
    expect(store.retainedUntil() - START).toBeLessThanOrEqual(2 * MINUTE);
  });

  it('goes back with a corrected clock, and deletes nothing meanwhile that is not old by it', async () => {
    const store = createStore(START + 200 * DAY);
    const { round } = createReplica(store);
    expect(await round()).toBe(START + MINUTE);
    expect(store.retainedUntil()).toBe(START + MINUTE);
  });

  it('is not pulled back by the one replica whose clock is behind the others', async () => {
    const store = createStore(START + 200 * DAY);
    const { round } = createReplica(store, (now) => [now + 200 * DAY]);
    expect(await round()).toBe(START + MINUTE);
    expect(store.retainedUntil()).toBe(START + 200 * DAY);
  });
});

function createStore(retainedUntil?: number) {
  let kept = retainedUntil === undefined ? undefined : timestampAt(retainedUntil);
  return {
    newest: undefined as number | undefined,
    retainedUntil: () => Date.parse(kept ?? ''),
    port: (newest: () => number | undefined) => ({
      retainedUntil: () => Promise.resolve(kept),
      moveRetainedUntil(from: Timestamp | undefined, to: Timestamp) {
        const isSame = kept === from;
        if (isSame) kept = to;
        return Promise.resolve(isSame);
      },
      newestRowAt() {
        const at = newest();
        return Promise.resolve(at === undefined ? undefined : timestampAt(at));
      },
    }),
  };
}

/** A replica whose clock is wrong by a given amount; one run a minute. */
function createReplica(store: ReturnType<typeof createStore>, others: (now: number) => readonly number[] = () => []) {
  const real = createFakeClock(new Date(START));
  let offsetMs = 0;
  const now = (): number => real.now().getTime() + offsetMs;
  const logger = createRecordingLogger();
  const states: unknown[] = [];
  const horizon = createRetentionHorizon({
    logger,
    store: store.port(() => store.newest),
    onAdvance: (state) => states.push(state),
    clock: { ...real, now: () => new Date(now()) },
    otherClocks: () => others(now()),
  });
  return {
    logger,
    states,
    now,
    setClock: (ms: number) => void (offsetMs = ms),
    async round(): Promise<number | undefined> {
      real.advance(MINUTE);
      const at = await horizon.advance();
      return at === undefined ? undefined : Date.parse(at);
    },
  };
}
