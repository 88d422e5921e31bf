import { eventually } from '@busbar/testing';
import type { Broker, PublishFailure, Subscription } from '../port';
import { OPTIONS, enqueued, never, recorder, testQueue, type InWorld } from './fixtures.contract';

export function describeQueues(inWorld: InWorld, asText: boolean): void {
  describe('a queue', () => {
    it('delivers the bodies of another process once and in order', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 2);
      const seen = recorder();
      await b.consume(channel, 0, OPTIONS, seen.handle);
      const sent = Array.from({ length: 1_000 }, (_, n) => n);

      const failures = await Promise.all(sent.map((n) => enqueued(a, channel, n)));

      expect(failures.every((failure) => failure === undefined)).toBe(true);
      await eventually(() => seen.numbers().length >= sent.length);
      expect(seen.numbers()).toEqual(sent);
      expect(seen.batches.flat().some(({ redelivered }) => redelivered)).toBe(false);
    });

    it('delivers each partition to its own consumer', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 2);
      const [first, second] = [recorder(), recorder()];
      await b.consume(channel, 0, OPTIONS, first.handle);
      await b.consume(channel, 1, OPTIONS, second.handle);

      a.enqueue(channel, 1, { n: 1 }, () => undefined);
      a.enqueue(channel, 0, { n: 0 }, () => undefined);

      await eventually(() => first.batches.length > 0 && second.batches.length > 0);
      expect([first.numbers(), second.numbers()]).toEqual([[0], [1]]);
    });

    it('never calls done or a handler within enqueue', async () => {
      const [a] = await inWorld();
      const channel = testQueue();
      let inside = true;
      const seen: string[] = [];
      await a.declareQueue(channel, 1);
      await a.consume(channel, 0, OPTIONS, () => {
        if (inside) seen.push('handler');
        return Promise.resolve();
      });
      const done = new Promise<void>((resolve) =>
        a.enqueue(channel, 0, { n: 1 }, () => {
          if (inside) seen.push('done');
          resolve();
        }),
      );
      a.enqueue(testQueue(), 0, { n: 1 }, () => inside && seen.push('unroutable'));
      inside = false;

      await done;
      expect(seen).toEqual([]);
    });

    it('delivers bodies that arrived during a batch together, at most maxBatch', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const seen = recorder((batch) => (batch === 1 ? held : Promise.resolve()));
      await b.consume(channel, 0, { maxBatch: 10 }, seen.handle);
      const sends = [enqueued(a, channel, 0)];
      await eventually(() => seen.batches.length === 1);
      for (let n = 1; n <= 25; n += 1) sends.push(enqueued(a, channel, n));
      await new Promise((resolve) => setImmediate(resolve));
      expect(seen.batches.length).toBe(1);
      release();

      await Promise.all(sends);
      await eventually(() => seen.numbers().length === 26);
      const sizes = seen.batches.map((batch) => batch.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
      expect(sizes.length).toBeLessThan(13);
      expect(seen.numbers()).toEqual(Array.from({ length: 26 }, (_, n) => n));
    });

    it('does not redeliver a batch that its handler resolved', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const first = recorder();
      const subscription = await a.consume(channel, 0, OPTIONS, first.handle);
      await Promise.all([1, 2, 3].map((n) => enqueued(a, channel, n)));
      await eventually(() => first.numbers().length === 3);
      await subscription.close();

      const second = recorder();
      await b.consume(channel, 0, OPTIONS, second.handle);
      await enqueued(a, channel, 4);

      await eventually(() => second.batches.length > 0);
      expect(second.numbers()).toEqual([4]);
    });

    it('redelivers a rejected batch, marked, before any other body', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const seen = recorder((batch) => (batch <= 2 ? Promise.reject(new Error('not now')) : Promise.resolve()));
      const sends = [1, 2, 3].map((n) => enqueued(a, channel, n));
      if (asText) await Promise.all(sends);
      await b.consume(channel, 0, OPTIONS, seen.handle);
      await eventually(() => seen.batches.length === 1);
      sends.push(enqueued(a, channel, 4));

      await Promise.all(sends);
      await eventually(() => seen.numbers().includes(4));
      const [first = [], second = [], third = []] = seen.batches;
      expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
      expect(third.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
      expect(first.every(({ redelivered }) => !redelivered)).toBe(true);
      expect([...second, ...third].every(({ redelivered }) => redelivered)).toBe(true);
      expect(new Set(seen.numbers())).toEqual(new Set([1, 2, 3, 4]));
    });

    it('delivers to the longest subscribed consumer only, and to the next one when it closes', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const [first, second] = [recorder(), recorder()];
      const subscription = await a.consume(channel, 0, OPTIONS, first.handle);
      await b.consume(channel, 0, OPTIONS, second.handle);
      await Promise.all([1, 2, 3].map((n) => enqueued(b, channel, n)));
      await eventually(() => first.numbers().length === 3);
      expect(second.batches).toEqual([]);

      await subscription.close();
      await enqueued(b, channel, 4);

      await eventually(() => second.batches.length > 0);
      expect(second.numbers()).toEqual([4]);
      expect(first.numbers()).toEqual([1, 2, 3]);
    });

    it('calls onBegin right before the first batch of each subscription', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const seen: (string | number)[] = [];
      const consume = (broker: Broker, name: string): Promise<Subscription> =>
        broker.consume(channel, 0, { ...OPTIONS, onBegin: () => void seen.push(name) }, (batch) => {
          for (const { body } of batch) seen.push(body?.n ?? -1);
          return Promise.resolve();
        });
      const first = await consume(a, 'a');
      await consume(b, 'b');
      await enqueued(a, channel, 1);
      await eventually(() => seen.includes(1));
      await enqueued(a, channel, 2);
      await eventually(() => seen.includes(2));
      await first.close();
      await enqueued(a, channel, 3);
      await eventually(() => seen.includes(3));

      expect(seen).toEqual(['a', 1, 2, 'b', 3]);
    });

    it('delays closing a consumer until its current batch is handled, and does not redeliver it', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const [first, second] = [recorder(() => held), recorder()];
      const subscription = await a.consume(channel, 0, OPTIONS, first.handle);
      await b.consume(channel, 0, OPTIONS, second.handle);
      a.enqueue(channel, 0, { n: 1 }, () => undefined);
      await eventually(() => first.batches.length === 1);
      const closed = subscription.close();
      release();
      await closed;
      await enqueued(a, channel, 2);

      await eventually(() => second.batches.length > 0);
      expect(second.numbers()).toEqual([2]);
    });

    it('requeues the unhandled batch of a closed consumer in order and marked', async () => {
      const [a, b] = await inWorld({ drainMs: 20 });
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const [first, second] = [recorder(never), recorder()];
      const subscription = await a.consume(channel, 0, { maxBatch: 5 }, first.handle);
      await b.consume(channel, 0, OPTIONS, second.handle);
      const sent = Array.from({ length: 20 }, (_, n) => n);
      for (const n of sent) a.enqueue(channel, 0, { n }, () => undefined);
      await eventually(() => first.batches.length === 1);

      await subscription.close();

      await eventually(() => second.numbers().length >= sent.length);
      expect(second.numbers()).toEqual(sent);
      expect(second.batches[0]?.[0]?.redelivered).toBe(true);
      expect(second.batches.flat().at(-1)?.redelivered).toBe(false);
    });

    it('delivers to the next consumer when the process of the active one stops', async () => {
      const [a, b] = await inWorld({ drainMs: 20 });
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      await b.declareQueue(channel, 1);
      const [first, second] = [recorder(never), recorder()];
      await a.consume(channel, 0, OPTIONS, first.handle);
      await b.consume(channel, 0, OPTIONS, second.handle);
      b.enqueue(channel, 0, { n: 1 }, () => undefined);
      await eventually(() => first.batches.length === 1);

      await a.stop();
      const failure = await enqueued(b, channel, 2);

      expect(failure).toBeUndefined();
      await eventually(() => second.numbers().length >= 2);
      expect(second.numbers()).toEqual([1, 2]);
    });

    it('delivers nothing to a consumer that was closed twice', async () => {
      const [a] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const seen = recorder();
      const subscription = await a.consume(channel, 0, OPTIONS, seen.handle);
      await Promise.all([subscription.close(), subscription.close()]);
      a.enqueue(channel, 0, { n: 1 }, () => undefined);

      await eventually(async () => (await a.depth(channel, 0)) === 1);
      expect(seen.batches).toEqual([]);
    });

    it('distributes bodies over competing consumers of a queue without partitions', async () => {
      const [a, b] = await inWorld({ drainMs: 20 });
      const channel = testQueue(false);
      await a.declareQueue(channel);
      const [first, second] = [recorder(never), recorder()];
      await a.consume(channel, 0, { maxBatch: 1 }, first.handle);
      await b.consume(channel, 0, { maxBatch: 1 }, second.handle);
      for (const n of [1, 2, 3, 4]) a.enqueue(channel, 0, { n }, () => undefined);

      await eventually(() => first.batches.length === 1 && second.numbers().length === 3);
    });

    it('reports unroutable for an undeclared queue', async () => {
      const [a] = await inWorld();
      expect(await enqueued(a, testQueue(), 1)).toBe('unroutable');
    });

    it('rejects bodies when it is full, and delivers all accepted ones', async () => {
      const [a, b] = await inWorld({ maxQueued: 20 });
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const taken: number[] = [];
      const outcomes: (PublishFailure | undefined)[] = [];
      for (let n = 0; n < 2_000 && !outcomes.includes('refused'); n += 1) {
        a.enqueue(channel, 0, { n }, (failure) => {
          outcomes.push(failure);
          if (!failure) taken.push(n);
        });
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually(() => outcomes.includes('refused'));
      const seen = recorder();
      await b.consume(channel, 0, OPTIONS, seen.handle);

      await eventually(async () => (await b.depth(channel, 0)) === 0 && seen.numbers().length >= 20);
      await eventually(() => taken.every((n) => seen.numbers().includes(n)));
      expect(taken.length).toBeGreaterThanOrEqual(20);
      expect(await enqueued(a, channel, -1)).toBeUndefined();
    });

    it('reports the number of waiting bodies', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      for (const n of [1, 2, 3]) a.enqueue(channel, 0, { n }, () => undefined);
      await eventually(async () => (await b.depth(channel, 0)) === 3);
    });

    it('rejects a consumer of an undeclared queue, and an empty batch', async () => {
      const [a] = await inWorld();
      const channel = testQueue();
      const handle = recorder().handle;
      await expect(a.consume(channel, 0, OPTIONS, handle)).rejects.toMatchObject({ code: 'internal' });
      await a.declareQueue(channel, 1);
      await expect(a.consume(channel, 0, { maxBatch: 0 }, handle)).rejects.toMatchObject({ code: 'internal' });
    });

    if (asText) {
      it('delivers an undecodable text as malformed, in its place', async () => {
        const [a, b] = await inWorld();
        const channel = testQueue();
        await a.declareQueue(channel, 1);
        const seen = recorder();
        await Promise.all([1, -1, 2].map((n) => enqueued(a, channel, n)));
        await b.consume(channel, 0, OPTIONS, seen.handle);

        await eventually(() => seen.numbers().length === 3);
        expect(seen.numbers()).toStrictEqual([1, undefined, 2]);
        expect(seen.batches.flat()[1]?.malformed).toBeInstanceOf(Error);
      });
    } else {
      it('delivers the enqueued object itself', async () => {
        const [a, b] = await inWorld();
        const channel = testQueue();
        await a.declareQueue(channel, 1);
        const seen = recorder();
        await b.consume(channel, 0, OPTIONS, seen.handle);
        const body = { n: 1 };
        a.enqueue(channel, 0, body, () => undefined);
        await eventually(() => seen.batches.length > 0);
        expect(seen.batches[0]?.[0]?.body).toBe(body);
      });
    }
  });
}
