import type { QueueChannel } from '@busbar/contracts';
import { eventually } from '@busbar/testing';
import type { Broker, PublishFailure } from '../port';
import { OPTIONS, recorder, testDirect, testQueue, type InWorld, type Numbered } from './fixtures.contract';

export function describeVersions(inWorld: InWorld): void {
  describeRequests(inWorld);
  describe('a queue with a body of a newer version', () => {
    it('keeps a newer body and all bodies behind it in their partition until a newer consumer takes over', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const [old, newer] = [recorder(), recorder()];
      let met = 0;
      await a.consume(channel, 0, { ...OPTIONS, onNewer: () => void (met += 1) }, old.handle);
      const sent = [{ n: 1 }, { n: 2, v: 1 }, { n: 3, v: 2 }, { n: 4 }].map((body) => sending(a, channel, body));
      await eventually(() => old.numbers().length === 2 && met > 0);

      await b.consume({ ...channel, version: 2 }, 0, OPTIONS, newer.handle);

      expect(await Promise.all(sent)).toEqual([undefined, undefined, undefined, undefined]);
      await eventually(() => newer.numbers().length === 2);
      expect([old.numbers(), newer.numbers()]).toEqual([
        [1, 2],
        [3, 4],
      ]);
    });

    it('checks a newer body again for an old consumer, and never delivers it', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const old = recorder();
      let met = 0;
      const options = { ...OPTIONS, onNewer: () => void (met += 1) };
      const subscription = await a.consume(channel, 0, options, old.handle);
      void sending(a, channel, { n: 1, v: 2 });
      void sending(a, channel, { n: 2 });
      await eventually(() => met === 2);
      expect(old.batches).toEqual([]);
      await subscription.close();
      // RabbitMQ requeues what the consumer held after it has confirmed the end of the consumer.
      await eventually(async () => (await b.depth(channel, 0)) === 2);
    });

    it('delivers a newer body to a newer one of competing consumers', async () => {
      const [a, b] = await inWorld();
      const channel = testQueue(false);
      await a.declareQueue(channel);
      const [old, newer] = [recorder(), recorder()];
      await a.consume(channel, 0, OPTIONS, old.handle);
      void sending(a, channel, { n: 1, v: 2 });
      await b.consume({ ...channel, version: 2 }, 0, OPTIONS, newer.handle);
      await eventually(() => newer.numbers().length === 1);
      expect(old.batches).toEqual([]);
    });
  });
}

function describeRequests(inWorld: InWorld): void {
  describe('a request of a newer version', () => {
    it('is refused before the handler, and reaches it where the listener is newer', async () => {
      const [a, b] = await inWorld();
      const channel = testDirect();
      const asked: number[] = [];
      const respond = ({ n }: Numbered): Promise<Numbered> => {
        asked.push(n);
        return Promise.resolve({ n: n + 1 });
      };
      await a.respond(channel, 'old', respond);
      await a.respond({ ...channel, version: 2 }, 'newer', respond);
      expect(await b.request(channel, 'old', { n: 1, v: 2 }, 5_000)).toEqual({ outcome: 'unsupported_version' });
      expect(await b.request(channel, 'old', { n: 2 }, 5_000)).toEqual({ outcome: 'answered', answer: { n: 3 } });
      expect(await b.request(channel, 'newer', { n: 4, v: 2 }, 5_000)).toMatchObject({ answer: { n: 5 } });
      expect(asked).toEqual([2, 4]);
    });
  });
}

function sending(broker: Broker, channel: QueueChannel<Numbered>, body: Numbered): Promise<PublishFailure | undefined> {
  return new Promise((resolve) => broker.enqueue(channel, 0, body, resolve));
}
