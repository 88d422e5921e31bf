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

describeWithDocumentServer('MongoDB away', (server) => {
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
  // Only a process of the test's own may be killed.
  const isOurs = (): boolean => server().pid() !== undefined;

  /** Inserts until it fails; gives what was acknowledged, and the failure. */
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
    rows.countBy('n', and()),
    rows.countGroups(['n'], and()),
    rows.incrementAndGet('a', 'n'),
  ];
  const expectUnavailable = async (): Promise<void> => {
    for (const outcome of await Promise.allSettled(calls())) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
  };

  test('a killed server: every call is unavailable at once, and nothing acknowledged is lost', async () => {
    if (!isOurs()) return;
    for (const round of ['first', 'second']) {
      changes.length = 0;
      const writing = Array.from({ length: WRITERS }, (_, writer) => writeUntilFailure(writer, round));
      await eventually(async () => (await rows.get(`${round}-0-20`)) !== undefined);
      await server().kill();
      const outcomes = await Promise.all(writing);
      expect(outcomes.filter(({ failure }) => !isAppError(failure, 'unavailable'))).toEqual([]);
      await eventually(() => !store.ready());
      // One after the other: were each to wait for a server, this would outlast the test many times.
      for (let n = 0; n < 100; n += 1) await expectUnavailable();

      await server().restart();
      await eventually(() => store.ready());
      expect(changes).toEqual([false, true]);
      const stored = new Set((await rows.find(and(), { fields: [] })).map(({ _id }) => _id));
      const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
      expect(acknowledged.length).toBeGreaterThan(50);
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect(await rows.insert({ _id: `after-${round}` })).toEqual({ inserted: true });
    }
  });

  test('a silent server: calls under way and new ones are unavailable, until it speaks again', async () => {
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
});

test('a start without a server says in one sentence where it looked, without the credentials', async () => {
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

test('an address that is none says so', async () => {
  const store = createMongoStore({ url: 'mongodb://', logger: createRecordingLogger() });
  await expect(store.start()).rejects.toMatchObject({ code: 'invalid_configuration' });
});

describeWithDocumentServer('the driver of MongoDB', (server) => {
  it("is connected anew when the driver's monitor waits for ever for a socket that is gone", async () => {
    const clock = createFakeClock();
    const logger = createRecordingLogger();
    const stuck = createMongoStore({ url: server().url, logger, clock });
    const answered = (): number =>
      logger.lines.filter(({ message }) => message === 'MongoDB is available again').length;
    const own = stuck.collection(ROWS);
    await stuck.start();
    const write = jest.spyOn(Socket.prototype, 'write');
    // As on a socket that died in this very moment: nothing is sent, no drain and no error ever comes.
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
