// The bodies of a batch, and the start of a subscription. The channel is a stand-in.
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Channel, ConsumeMessage } from 'amqplib';
import { testQueue, type Numbered } from '../contract/fixtures.contract';
import type { Delivery } from '../port';
import { createQueueConsumer } from './queue-consumer';
import { createQueueOutages } from '../standby';
import { settingsOf } from './settings';

describe('a queue consumer', () => {
  it('batches all waiting bodies, up to the maximum', async () => {
    const { deliver, batches } = await openWorld(3);
    for (const n of [1, 2, 3, 4, 5]) deliver(n, 100);
    await eventually(() => batches.flat().length === 5);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('limits a batch to one mebibyte, but to no less than one body', async () => {
    const { deliver, batches, acknowledged } = await openWorld(20);
    for (const n of [1, 2, 3, 4]) deliver(n, 400_000);
    deliver(5, 3_000_000);
    deliver(6, 400_000);
    await eventually(() => batches.flat().length === 6);
    expect(batches).toEqual([[1, 2], [3, 4], [5], [6]]);
    await eventually(() => acknowledged.length === 4);
    expect(acknowledged).toEqual([2, 4, 5, 6]);
  });
});

it('calls onBegin before the first batch on a channel', async () => {
  const world = await openWorld(1);
  for (const n of [1, 2]) world.deliver(n, 100);
  await eventually(() => world.batches.length === 2);
  expect(world.begins()).toEqual([0]);
  await world.reopen();
  expect(world.begins()).toEqual([0]);
  for (const n of [3, 4]) world.deliver(n, 100);
  await eventually(() => world.batches.length === 4);
  expect(world.begins()).toEqual([0, 2]);
});

async function openWorld(maxBatch: number) {
  const [clock, logger] = [createFakeClock(), createRecordingLogger()];
  const batches: number[][] = [];
  /** The number of batches before each call of onBegin. */
  const begins: number[] = [];
  const consumer = createQueueConsumer<Numbered>({
    settings: settingsOf({ url: 'amqp://x', logger, clock }),
    channel: testQueue(),
    queue: 'q.0',
    options: { maxBatch, onBegin: () => void begins.push(batches.length) },
    handler: (batch: readonly Delivery<Numbered>[]) =>
      Promise.resolve(void batches.push(batch.map(({ body }) => body?.n ?? -1))),
    declare: () => Promise.resolve(),
    ...createQueueOutages(clock, logger),
  });
  const acknowledged: number[] = [];
  let take: (message: ConsumeMessage) => void = () => undefined;
  const channel = {
    prefetch: () => Promise.resolve(),
    consume: (_queue: string, onMessage: (message: ConsumeMessage) => void) => Promise.resolve(void (take = onMessage)),
    ack: ({ fields }: ConsumeMessage) => void acknowledged.push(fields.deliveryTag),
  } as unknown as Channel;
  await consumer.open(channel, () => undefined);
  /** Delivers a body of that many bytes. */
  const deliver = (n: number, bytes: number): void => {
    const content = Buffer.from(JSON.stringify({ n }).padEnd(bytes));
    take({ content, fields: { deliveryTag: n, redelivered: false } } as ConsumeMessage);
  };
  const reopen = async (): Promise<void> => {
    consumer.closed();
    await consumer.open(channel, () => undefined);
  };
  return { deliver, batches, acknowledged, reopen, begins: () => begins };
}
