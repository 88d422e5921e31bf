// The adapter while RabbitMQ is killed or frozen, and with queues that somebody changed.
import { AppError } from '@busbar/core';
import {
  createRecordingLogger,
  describeWithRabbit,
  eventually,
  findRabbitServer,
  type PrivateServer,
} from '@busbar/testing';
import { connect } from 'amqplib';
import { enqueued, recorder, OPTIONS, testBroadcast, testDirect, testQueue } from '../contract/fixtures.contract';
import type { Broker, PublishFailure } from '../port';
import { createAmqpBroker } from './amqp-broker';
import type { AmqpBrokerOptions } from './settings';

const FAULT_MS = 90_000;
// RabbitMQ 3.10 may bring a quorum queue back without a leader when it is killed less than about 5 s after declaring it.
const CALM_MS = 6_000;

const killable = findRabbitServer().source !== 'url';
const itWithFaults = killable ? it : it.skip;
const why = killable ? '' : ' (skipped: the server of TEST_AMQP_URL cannot be killed)';

describeWithRabbit('the AMQP broker', (server) => {
  let open: Broker[] = [];
  const connected = async (options: Partial<AmqpBrokerOptions> = {}): Promise<Broker> => {
    const broker = createAmqpBroker({ url: server().url, logger: createRecordingLogger(), ...options });
    open.push(broker);
    await broker.start();
    return broker;
  };

  afterEach(async () => {
    await Promise.all(open.map((broker) => broker.stop()));
    open = [];
  }, FAULT_MS);

  itWithFaults(
    `delivers all that was confirmed, in order, over a kill and a restart of the server${why}`,
    async () => {
      const [a, b] = [await connected(), await connected()];
      const reported: boolean[] = [];
      b.onConnection((up) => reported.push(up));
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      await b.declareQueue(channel, 1);
      const seen = recorder();
      await b.consume(channel, 0, OPTIONS, seen.handle);
      const questions = testDirect();
      await b.respond(questions, 'b', (body) => Promise.resolve(body));
      const news = testBroadcast();
      const received: number[] = [];
      await b.listen(news, ({ n }) => received.push(n));
      await calm();

      const outcomes = new Map<number, PublishFailure | undefined>();
      let n = 0;
      const send = (): void => {
        const number = n;
        n += 1;
        a.enqueue(channel, 0, { n: number }, (failure) => outcomes.set(number, failure));
      };
      // Some are in flight at any time, so that the kill finds some unconfirmed.
      const pump = setInterval(() => {
        for (let i = 0; i < 50; i += 1) send();
      }, 1);
      await eventually(() => outcomes.size > 1_000);
      await server().kill();
      await eventually(() => !a.ready() && !b.ready());
      clearInterval(pump);
      await eventually(() => outcomes.size === n);
      expect(new Set(outcomes.values())).toEqual(new Set([undefined, 'unavailable']));
      expect(await a.request(questions, 'b', { n: 1 }, 60_000)).toEqual({ outcome: 'unavailable' });

      await server().restart();
      await eventually(() => a.ready() && b.ready(), 60_000);

      expect(reported).toEqual([false, true]);
      expect(await enqueued(a, channel, n)).toBeUndefined();
      await eventually(() => seen.numbers().includes(n));
      const confirmed = [...outcomes].filter(([, failure]) => failure === undefined).map(([number]) => number);
      const numbers = seen.numbers();
      expect(confirmed.filter((number) => !numbers.includes(number))).toEqual([]);
      expect(firsts(numbers)).toEqual(firsts(numbers).toSorted((x, y) => x - y));
      expect(await a.request(questions, 'b', { n: 2 }, 10_000)).toEqual({ outcome: 'answered', answer: { n: 2 } });
      a.broadcast(news, { n: 3 });
      await eventually(() => received.includes(3));
    },
    FAULT_MS,
  );

  itWithFaults(
    `fails pending requests and unconfirmed bodies when the server is killed${why}`,
    async () => {
      const [a, b] = [await connected(), await connected()];
      const questions = testDirect();
      await b.respond(questions, 'b', () => new Promise(() => undefined));
      const asked = a.request(questions, 'b', { n: 1 }, 60_000);
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      await calm();
      server().pause();
      const outcome = enqueued(a, channel, 1);
      await server().kill();

      expect(await asked).toEqual({ outcome: 'lost' });
      expect(await outcome).toBe('unavailable');
      expect(await enqueued(a, channel, 2)).toBe('unavailable');
      await server().restart();
      await eventually(() => a.ready() && b.ready(), 60_000);
    },
    FAULT_MS,
  );

  itWithFaults(
    `detects a frozen server by its heartbeat, and reconnects when the server resumes${why}`,
    async () => {
      const a = await connected();
      const channel = testQueue();
      await a.declareQueue(channel, 1);
      const seen = recorder();
      await a.consume(channel, 0, OPTIONS, seen.handle);
      server().pause();
      const outcome = enqueued(a, channel, 1);

      expect(await outcome).toBe('unavailable');
      expect(a.ready()).toBe(false);
      server().resume();

      await eventually(() => a.ready(), 60_000);
      expect(await enqueued(a, channel, 2)).toBeUndefined();
      await eventually(() => seen.numbers().includes(2));
    },
    FAULT_MS,
  );

  it('resubscribes to a deleted queue', async () => {
    const a = await connected();
    const channel = testQueue();
    await a.declareQueue(channel, 1);
    const seen = recorder();
    await a.consume(channel, 0, OPTIONS, seen.handle);
    await onServer(server(), (raw) => raw.deleteQueue(`${channel.name}.0`));

    await eventually(async () => (await enqueued(a, channel, 1)) === undefined);
    await eventually(() => seen.numbers().includes(1));
  });

  it('requeues a failing batch before RabbitMQ closes the channel', async () => {
    const logger = createRecordingLogger();
    const a = await connected({ logger, holdMs: 1 });
    const channel = testQueue();
    await a.declareQueue(channel, 1);
    const seen = recorder();
    let failures = 0;
    await a.consume(channel, 0, { ...OPTIONS, maxBatch: 2 }, async (batch) => {
      if (failures < 3) {
        failures += 1;
        throw new Error('the store is unavailable');
      }
      await seen.handle(batch);
    });
    for (const n of [1, 2, 3, 4, 5]) await enqueued(a, channel, n);

    await eventually(() => seen.numbers().includes(5));
    expect(firsts(seen.numbers())).toEqual([1, 2, 3, 4, 5]);
    const held = logger.lines.filter(({ message }) => message.includes('returns to its queue'));
    expect(held.length).toBeGreaterThan(0);
  });

  it('logs the begin and the end of failing batches once each, for any number of queues', async () => {
    const logger = createRecordingLogger();
    const a = await connected({ logger });
    const channel = testQueue();
    await a.declareQueue(channel, 8);
    let unavailable = true;
    let failures = 0;
    const handled: number[] = [];
    for (let partition = 0; partition < 8; partition += 1) {
      await a.consume(channel, partition, OPTIONS, () => {
        if (!unavailable) return Promise.resolve(void handled.push(partition));
        failures += 1;
        return Promise.reject(new AppError('unavailable', 'the store is unavailable'));
      });
      a.enqueue(channel, partition, { n: partition }, () => undefined);
    }
    await eventually(() => failures > 20);
    unavailable = false;
    await eventually(() => handled.length === 8);
    await eventually(() => logger.lines.some(({ message }) => message === 'no batch fails any more'));

    const reported = logger.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message);
    expect(reported.filter((message) => message.includes('fail'))).toEqual([
      'batches fail and are retried',
      'no batch fails any more',
    ]);
  });

  it('rejects bodies beyond the limit of unconfirmed bodies', async () => {
    const a = await connected({ maxUnconfirmed: 10 });
    const channel = testQueue();
    await a.declareQueue(channel, 1);
    const outcomes = await Promise.all(Array.from({ length: 11 }, (_, n) => enqueued(a, channel, n)));
    expect(outcomes.filter((failure) => failure === 'refused')).toHaveLength(1);
    expect(await enqueued(a, channel, 11)).toBeUndefined();
  });

  it('limits the number of concurrent requests', async () => {
    const [a, b] = [await connected(), await connected()];
    const questions = testDirect(true);
    let inHand = 0;
    await b.respond(questions, '', () => new Promise(() => (inHand += 1)));
    const asked = Array.from({ length: 120 }, (_, n) => a.request(questions, '', { n }, 500));
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['timeout']));
    expect(inHand).toBe(100);
  });

  it('reports the outcome of each body', async () => {
    const events: string[] = [];
    const a = await connected({ observe: (event) => events.push(event) });
    await enqueued(a, testQueue(), 1);
    const channel = testQueue();
    await a.declareQueue(channel, 1);
    await enqueued(a, channel, 1);
    expect(events).toEqual(['published', 'returned', 'published', 'confirmed']);
  });

  it('names a queue that exists with other settings, and starts without it', async () => {
    const channel = testQueue();
    await (await connected({ maxQueued: 10 })).declareQueue(channel, 1);
    const other = await connected({ maxQueued: 11 });
    await expect(other.declareQueue(channel, 1)).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining(`${channel.name}.0`) as string,
    });
    await other.declareQueue(testQueue(), 1);
  });

  it('rejects a start without a server with one sentence and without the password', async () => {
    const broker = createAmqpBroker({ url: 'amqp://user:secret@127.0.0.1:1/v', logger: createRecordingLogger() });
    const failure: unknown = await broker.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect((failure as Error).message).toMatch(
      /^Cannot use the message broker at amqp:\/\/127\.0\.0\.1:1\/v \(.*\): .*BROKER_URL\.$/,
    );
    expect((failure as Error).message).not.toContain('secret');
    expect(broker.ready()).toBe(false);
    await broker.stop();
  });

  it('rejects a start with a wrong password', async () => {
    const url = server().url.replace('guest:guest', 'guest:wrong');
    const broker = createAmqpBroker({ url, logger: createRecordingLogger() });
    await expect(broker.start()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('user name and password') as string,
    });
  });
});

/** Each number at its first delivery. */
function firsts(numbers: readonly (number | undefined)[]): number[] {
  return [...new Set(numbers)].filter((number) => number !== undefined);
}

async function calm(): Promise<void> {
  const from = performance.now();
  await eventually(() => performance.now() - from > CALM_MS);
}

async function onServer(
  { url }: PrivateServer,
  run: (channel: Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createChannel']>>) => Promise<unknown>,
): Promise<void> {
  const connection = await connect(url);
  await run(await connection.createChannel());
  await connection.close();
}
