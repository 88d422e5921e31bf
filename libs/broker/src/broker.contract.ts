// The contract of the broker port for every adapter.
import { eventually } from '@busbar/testing';
import {
  enqueued,
  recorder,
  OPTIONS,
  testBroadcast,
  testDirect,
  testQueue,
  type BrokerWorld,
  type ContractOptions,
  type InWorld,
} from './contract/fixtures.contract';
import { describeLetters } from './contract/letters.contract';
import { describeQueues } from './contract/queues.contract';
import { describeVersions } from './contract/versions.contract';
import type { PublishFailure } from './port';

const TEST_MS = 30_000;

export function describeBrokerContract({ createWorld, asText }: ContractOptions): void {
  let world: BrokerWorld | undefined;
  const inWorld: InWorld = async (options = {}) => {
    world = createWorld(options);
    return Promise.all([world.connect(), world.connect()]);
  };

  afterEach(async () => {
    await world?.stop();
    world = undefined;
  }, TEST_MS);

  describeQueues(inWorld, asText);
  describeLetters(inWorld);
  describeVersions(inWorld);

  describe('the life cycle', () => {
    it('starts and stops a broker idempotently, and accepts nothing before and after', async () => {
      const [a] = await inWorld();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      await a.start();
      expect(a.ready()).toBe(true);
      await Promise.all([a.stop(), a.stop()]);
      expect(a.ready()).toBe(false);

      expect(await enqueued(a, channel, 1)).toBe('unavailable');
      expect(await a.request(testDirect(), 'x', { n: 1 }, 5_000)).toEqual({ outcome: 'unavailable' });
      await expect(a.consume(channel, 0, OPTIONS, recorder().handle)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(a.listen(testBroadcast(), () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(a.start()).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('stops a broker after its current batch is handled and its publications are accepted', async () => {
      const [a, b] = await inWorld();
      const [source, target] = [testQueue(), testQueue()];
      await a.declareQueue(source, 1);
      await b.declareQueue(target, 1);
      const seen = recorder();
      await b.consume(target, 0, OPTIONS, seen.handle);
      let stopped: Promise<void> | undefined;
      let failure: PublishFailure | undefined | 'none' = 'none';
      await a.consume(source, 0, OPTIONS, async () => {
        stopped ??= a.stop();
        failure = await enqueued(a, target, 7);
      });
      b.enqueue(source, 0, { n: 1 }, () => undefined);

      await eventually(() => stopped !== undefined);
      await stopped;
      expect(failure).toBeUndefined();
      await eventually(() => seen.numbers().includes(7));
    });
  });
}
