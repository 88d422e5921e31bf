import { Socket } from 'node:net';

import { createFakeClock, createRecordingLogger, describeWithDocumentServer, eventually } from '@busbar/testing';

import { createId, isAppError } from '@busbar/core';

import { and, eq } from '../port';
import type { Collection, CollectionDefinition, Document, Store } from '../port';
import { createMongoStore } from './mongo-store';
import { STUCK_MS } from './monitor-watch';

interface Row extends Document {
  readonly n?: number;
}
const ROWS: CollectionDefinition<Row> = { name: 'outage_rows', indexes: [{ name: 'byN', paths: [['n', 1]] }] };
const WRITERS = 8;

describeWithDocumentServer('MongoDB during an outage', (server) => {
  let store: Store;
  let rows: Collection<Row>;
  const changes: boolean[] = [];

  beforeAll(async () => {
    store = createMongoStore({ url: server().url, logger: createRecordingLogger() });
    rows = store.collection(ROWS);
    await store.start();
    store.onConnection((up) => changes.push(up));
  });
  afterAll(() => store.stop());
  // Only a process that this test started may be killed.
  const isOurs = (): boolean => server().pid() !== undefined;

  /** Inserts until a failure. Returns the acknowledged ids and the failure. */
  const writeUntilFailure = async (
    writer: number,
    from: string,
  ): Promise<{ acknowledged: string[]; failure: unknown }> => {
    const acknowledged: string[] = [];
    for (let n = 0; ; n += 1) {
      const _id = `${from}-${String(writer)}-${String(n)}`;
      try {
        await rows.insert({ _id, n });
        acknowledged.push(_id);
      } catch (failure) {
        return { acknowledged, failure };
      }
    }
  };
  const calls = (): Promise<unknown>[] => [
    rows.get('a'),
    rows.find(and()),
    rows.insert({ _id: 'a' }),
    rows.update(eq('_id', 'a'), { inc: { n: 1 } }, { upsert: true }),
    rows.bulk([{ insert: { _id: 'a' } }]),
    rows.delete(eq('_id', 'a')),
    rows.count(and()),
    rows.findValues(and(), ['n']),
    rows.countGroups(['n'], and()),
    rows.incrementAndGet('a', 'n'),
  ];
  const expectUnavailable = async (): Promise<void> => {
    for (const outcome of await Promise.allSettled(calls())) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
  };

  it('rejects every call immediately while the server is killed, and loses no acknowledged write', async () => {
    if (!isOurs()) return;
    for (const round of ['first', 'second']) {
      changes.length = 0;
      const writing = Array.from({ length: WRITERS }, (_, writer) => writeUntilFailure(writer, round));
      await eventually(async () => (await rows.get(`${round}-0-20`)) !== undefined);
      await server().kill();
      const outcomes = await Promise.all(writing);
      expect(outcomes.filter(({ failure }) => !isAppError(failure, 'unavailable'))).toEqual([]);
      await eventually(() => !store.ready());
      // Sequential calls: if each waited for a server, the test would exceed its timeout many times.
      for (let n = 0; n < 100; n += 1) await expectUnavailable();

      await server().restart();
      await eventually(() => store.ready());
      expect(changes).toEqual([false, true]);
      const stored = new Set((await rows.find(and())).map(({ _id }) => _id));
      const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
      expect(acknowledged.length).toBeGreaterThan(50);
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect(await rows.insert({ _id: `after-${round}` })).toEqual({ inserted: true });
    }
  });

  it('rejects calls in flight and new ones with unavailable while the server is frozen', async () => {
    if (!isOurs()) return;
    const writing = writeUntilFailure(0, 'silent');
    await eventually(async () => (await rows.get('silent-0-10')) !== undefined);
    server().pause();
    try {
      expect((await writing).failure).toMatchObject({ code: 'unavailable' });
      await eventually(() => !store.ready());
      for (let n = 0; n < 100; n += 1) await expectUnavailable();
    } finally {
      server().resume();
    }
    await eventually(() => store.ready());
    expect(await rows.insert({ _id: 'spoke' })).toEqual({ inserted: true });
  });

  it('is awaited by a start while it is busy', async () => {
    const logger = createRecordingLogger();
    const other = createMongoStore({ url: server().url, logger });
    server().pause();
    const starting = other.start();
    try {
      await eventually(() =>
        logger.lines.some(({ message }) => message === 'MongoDB does not answer yet; waiting for it'),
      );
    } finally {
      server().resume();
    }
    await starting;
    expect(other.ready()).toBe(true);
    await other.stop();
  });
});

it('rejects a start without a server with one sentence that names the address without credentials', async () => {
  const url = 'mongodb://someone:s3cr%40t@127.0.0.1:1/busbar?authSource=admin';
  const store = createMongoStore({ url, logger: createRecordingLogger() });
  store.collection({ ...ROWS });
  const failure = await store.start().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'unavailable',
    message: 'MongoDB at mongodb://127.0.0.1:1/busbar does not answer: start it, or correct STORE_URL.',
  });
  expect(store.ready()).toBe(false);
  await store.stop();
});

it('rejects an invalid address with invalid_configuration', async () => {
  const store = createMongoStore({ url: 'mongodb://', logger: createRecordingLogger() });
  await expect(store.start()).rejects.toMatchObject({ code: 'invalid_configuration' });
});

describeWithDocumentServer('the driver of MongoDB', (server) => {
  it("reconnects when the driver's monitor waits without end for a dead socket", async () => {
    const clock = createFakeClock();
    const logger = createRecordingLogger();
    const stuck = createMongoStore({ url: server().url, logger, clock });
    const answered = (): number =>
      logger.lines.filter(({ message }) => message === 'MongoDB is available again').length;
    const own = stuck.collection(ROWS);
    await stuck.start();
    const write = jest.spyOn(Socket.prototype, 'write');
    // As on a socket that just died: nothing is sent, and neither drain nor error is emitted.
    write.mockImplementation(() => false);
    await eventually(() => write.mock.calls.length > 0);
    write.mockRestore();
    expect(answered()).toBe(0);
    clock.advance(2 * STUCK_MS);
    try {
      await eventually(() => answered() === 1 && stuck.ready(), 5_000);
      expect(await own.insert({ _id: createId() })).toEqual({ inserted: true });
    } finally {
      await stuck.stop();
    }
  });
});
