import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { describeBrokerContract } from '../broker.contract';
import { enqueued, recorder, testDirect, testQueue, type WorldOptions } from '../contract/fixtures.contract';
import type { Broker, PublishFailure } from '../port';
import { createMemoryBroker } from './memory-broker';
import { createMemoryHub } from './memory-hub';

const OPTIONS = { maxBatch: 500 };

describe('the memory broker', () => {
  describeBrokerContract({ asText: false, createWorld: createMemoryWorld });

  it('confirms a body after its consumer has stored it', async () => {
    const broker = createMemoryBroker();
    await broker.start();
    const channel = testQueue();
    await broker.declareQueue(channel, 1);
    const outcomes: (PublishFailure | undefined)[] = [];
    let stored: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (stored = resolve));
    const seen = recorder(() => storing);
    await broker.consume(channel, 0, OPTIONS, seen.handle);
    broker.enqueue(channel, 0, { n: 1 }, (failure) => outcomes.push(failure));
    await eventually(() => seen.batches.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toHaveLength(0);

    stored();

    await eventually(() => outcomes.length === 1);
    expect(outcomes).toStrictEqual([undefined]);
    await broker.stop();
  });

  it('ignores a handler that ends after its batch was requeued', async () => {
    const broker = createMemoryBroker({ drainMs: 20 });
    await broker.start();
    const channel = testQueue();
    await broker.declareQueue(channel, 1);
    const outcomes: (PublishFailure | undefined)[] = [];
    const [late, second] = [gate(), gate()];
    const first = recorder(() => late.opened);
    const subscription = await broker.consume(channel, 0, OPTIONS, first.handle);
    broker.enqueue(channel, 0, { n: 1 }, (failure) => outcomes.push(failure));
    await eventually(() => first.batches.length === 1);
    await subscription.close();
    const next = recorder(() => second.opened);
    await broker.consume(channel, 0, OPTIONS, next.handle);
    await eventually(() => next.batches.length === 1);

    late.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toHaveLength(0);

    second.open();
    await eventually(() => outcomes.length === 1);
    await broker.stop();
  });

  it('backs off to about one check a minute for a body of a newer version, and warns once', async () => {
    const [clock, logger] = [createFakeClock(), createRecordingLogger()];
    const broker = createMemoryBroker({ clock, logger });
    await broker.start();
    const channel = testQueue();
    await broker.declareQueue(channel, 1);
    const seen = recorder();
    let met = 0;
    await broker.consume(channel, 0, { ...OPTIONS, onNewer: () => void (met += 1) }, seen.handle);
    for (const v of [2, 1]) broker.enqueue(channel, 0, { n: 1, v }, () => undefined);
    for (let second = 0; second < 600; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(met).toBeGreaterThan(10);
    expect(met).toBeLessThan(40);
    expect(seen.batches).toEqual([]);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await broker.stop();
  });

  it('fails bodies without a consumer with unavailable when it stops', async () => {
    const broker = createMemoryBroker();
    await broker.start();
    const channel = testQueue();
    await broker.declareQueue(channel, 1);
    const outcome = enqueued(broker, channel, 1);
    await broker.stop();
    expect(await outcome).toBe('unavailable');
  });

  it('delivers and responds without a timer', async () => {
    const broker = createMemoryBroker({ clock: createFakeClock() });
    await broker.start();
    const [channel, questions] = [testQueue(), testDirect()];
    await broker.declareQueue(channel, 1);
    await broker.consume(channel, 0, OPTIONS, recorder().handle);
    await broker.respond(questions, 'x', (body) => Promise.resolve(body));
    expect(await enqueued(broker, channel, 1)).toBeUndefined();
    expect(await broker.request(questions, 'x', { n: 1 }, 1_000)).toEqual({ outcome: 'answered', answer: { n: 1 } });
    await broker.stop();
  });

  it('reports a connection when it starts', async () => {
    const broker = createMemoryBroker();
    const reported: boolean[] = [];
    const leave = broker.onConnection((up) => reported.push(up));
    await broker.start();
    leave();
    await broker.stop();
    expect(reported).toEqual([true]);
  });
});

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

function createMemoryWorld({ maxQueued, ...options }: WorldOptions) {
  const hub = createMemoryHub(maxQueued === undefined ? {} : { maxQueued });
  const brokers: Broker[] = [];
  return {
    async connect() {
      const broker = createMemoryBroker({ hub, ...options });
      brokers.push(broker);
      await broker.start();
      return broker;
    },
    async stop() {
      await Promise.all(brokers.map((broker) => broker.stop()));
    },
  };
}
