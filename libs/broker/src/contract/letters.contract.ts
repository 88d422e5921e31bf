import { AsyncLocalStorage } from 'node:async_hooks';
import { eventually } from '@busbar/testing';
import type { MessageContext, MessageHeaders } from '../message-context';
import type { Broker, Subscription } from '../port';
import { testBroadcast, testDirect, type InWorld } from './fixtures.contract';

export function describeLetters(inWorld: InWorld): void {
  describe('request', () => {
    it('routes a request to the listener at its address, and to no other', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      await a.respond(channel, 'a', ({ n }) => Promise.resolve({ n: n + 1 }));
      await b.respond(channel, 'b', ({ n }) => Promise.resolve({ n: n + 100 }));

      const outcomes = await Promise.all([a, b].map((asker) => asker.request(channel, 'b', { n: 1 }, 5_000)));

      expect(outcomes).toEqual([
        { outcome: 'answered', answer: { n: 101 } },
        { outcome: 'answered', answer: { n: 101 } },
      ]);
    });

    it('reports a missing listener immediately', async () => {
      const [a] = await inWorld();
      const day = 86_400_000;
      expect(await a.request(testDirect(), 'x', { n: 1 }, day)).toEqual({ outcome: 'nobody' });
      expect(await a.request(testDirect(true), 'x', { n: 1 }, day)).toEqual({ outcome: 'nobody' });
    });

    it('reports a closed listener immediately', async () => {
      const [a, b] = await inWorld();
      for (const channel of [testDirect(), testDirect(true)]) {
        const subscription = await b.respond(channel, 'x', (body) => Promise.resolve(body));
        expect(await a.request(channel, 'x', { n: 1 }, 5_000)).toMatchObject({ outcome: 'answered' });
        await subscription.close();
        await eventually(async () => (await a.request(channel, 'x', { n: 1 }, 5_000)).outcome === 'nobody');
      }
    });

    it('ends a request at its deadline without a response, and when the handler fails', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      await b.respond(channel, 'slow', () => new Promise(() => undefined));
      await b.respond(channel, 'broken', () => Promise.reject(new Error('no')));
      expect(await a.request(channel, 'slow', { n: 1 }, 50)).toEqual({ outcome: 'timeout' });
      expect(await a.request(channel, 'broken', { n: 1 }, 50)).toEqual({ outcome: 'timeout' });
    });

    it('delivers each request to one listener of a shared address, and some to each', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect(true);
      const served = { a: 0, b: 0 };
      await a.respond(channel, '', (body) => Promise.resolve((served.a += 1)).then(() => body));
      await b.respond(channel, '', (body) => Promise.resolve((served.b += 1)).then(() => body));

      const asked = Array.from({ length: 50 }, (_, n) => a.request(channel, '', { n }, 5_000));

      expect(
        (await Promise.all(asked)).map((reported) => reported.outcome === 'answered' && reported.answer.n),
      ).toEqual(Array.from({ length: 50 }, (_, n) => n));
      expect(served.a + served.b).toBe(50);
      expect(Math.min(served.a, served.b)).toBeGreaterThan(5);
    });

    it('rejects requests above the limit of concurrent ones with unavailable', async () => {
      const [a, b] = await inWorld({ maxRequests: 2 });
      const channel = testDirect();
      await b.respond(channel, 'slow', () => new Promise(() => undefined));
      const waiting = [1, 2].map((n) => a.request(channel, 'slow', { n }, 300));
      expect(await a.request(channel, 'slow', { n: 3 }, 300)).toEqual({ outcome: 'unavailable' });
      expect(await Promise.all(waiting)).toEqual([{ outcome: 'timeout' }, { outcome: 'timeout' }]);
    });
  });

  describe('headers of the context', () => {
    const current = new AsyncLocalStorage<MessageHeaders | undefined>();
    const context: MessageContext = {
      headers: () => current.getStore(),
      within: (headers, work) => current.run(headers, work),
    };
    const as = <T>(traceparent: string, work: () => T): T => current.run({ traceparent }, work);

    it('reaches the handler of each message, and no other', async () => {
      const [a, b] = await inWorld({ context });
      const channel = testDirect();
      const broadcasts = testBroadcast();
      const seen: (readonly [what: string, traceparent: string | undefined])[] = [];
      const note = (what: string): void => void seen.push([what, current.getStore()?.['traceparent']]);
      await b.respond(channel, 'x', async (body) => {
        await Promise.resolve();
        note(`request ${String(body.n)}`);
        return body;
      });
      await b.receive(channel, 'y', ({ n }) => note(`letter ${String(n)}`));
      await b.listen(broadcasts, ({ n }) => note(`broadcast ${String(n)}`));
      await Promise.all([
        as('one', () => a.request(channel, 'x', { n: 1 }, 5_000)),
        a.request(channel, 'x', { n: 2 }, 5_000),
        as('three', () => a.request(channel, 'x', { n: 3 }, 5_000)),
        as('four', () => Promise.resolve(a.post(channel, 'y', { n: 4 }))),
      ]);
      as('five', () => {
        a.post(channel, 'y', { n: 5 });
        a.broadcast(broadcasts, { n: 6 });
      });
      await eventually(() => seen.length === 6);
      expect(seen.toSorted()).toEqual([
        ['broadcast 6', 'five'],
        ['letter 4', 'four'],
        ['letter 5', 'five'],
        ['request 1', 'one'],
        ['request 2', undefined],
        ['request 3', 'three'],
      ]);
    });
  });

  describe('request of a sender that stops', () => {
    it('reports a pending request as lost when its sender stops', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      const got: number[] = [];
      await b.respond(channel, 'slow', ({ n }) => {
        got.push(n);
        return new Promise(() => undefined);
      });
      const asked = a.request(channel, 'slow', { n: 1 }, 20_000);
      await eventually(() => got.length === 1);
      await a.stop();
      expect(await asked).toEqual({ outcome: 'lost' });
      expect(await a.request(channel, 'slow', { n: 2 }, 20_000)).toEqual({ outcome: 'unavailable' });
    });
  });

  describe('post', () => {
    it('delivers a letter to the receiver at its address, and none without a receiver', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      const got: number[] = [];
      await b.receive(channel, 'b', ({ n }) => got.push(n));

      a.post(channel, 'b', { n: 1 });
      a.post(channel, 'c', { n: 2 });
      a.post(channel, 'b', { n: 3 });

      await eventually(() => got.length === 2);
      expect(got).toEqual([1, 3]);
    });

    it('delivers no letter to a closed subscription', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      const got: number[] = [];
      const subscription = await b.receive(channel, 'b', ({ n }) => got.push(n));
      await subscription.close();
      a.post(channel, 'b', { n: 1 });
      await b.receive(channel, 'b', ({ n }) => got.push(10 * n));
      await eventually(() => {
        a.post(channel, 'b', { n: 2 });
        return got.length > 0;
      });
      expect(got).not.toContain(1);
      expect(got).not.toContain(2);
    });
  });

  describe('broadcast', () => {
    it('delivers a broadcast to every current listener, the sender included, and to no closed one', async () => {
      const [a, b] = await inWorld();
      const channel = testBroadcast();
      const got: string[] = [];
      const listen = (broker: Broker, name: string): Promise<Subscription> =>
        broker.listen(channel, ({ n }) => got.push(`${name}${String(n)}`));
      const left = await listen(a, 'left');
      await Promise.all([listen(a, 'a'), listen(b, 'b'), listen(b, 'c')]);
      await left.close();

      a.broadcast(channel, { n: 1 });

      await eventually(() => got.length >= 3);
      b.broadcast(channel, { n: 2 });
      await eventually(() => got.length >= 6);
      expect(got.sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
    });

    it('delivers a broadcast to a listener whose handler threw before', async () => {
      const [a, b] = await inWorld();
      const channel = testBroadcast();
      const got: number[] = [];
      await b.listen(channel, ({ n }) => {
        got.push(n);
        throw new Error('a fault of the handler');
      });
      a.broadcast(channel, { n: 1 });
      a.broadcast(channel, { n: 2 });
      await eventually(() => got.length === 2);
    });
  });
}
