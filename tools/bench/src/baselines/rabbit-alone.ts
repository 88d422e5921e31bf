// Baseline B2: what RabbitMQ itself can do. Persistent bodies of 400 bytes to 16 quorum queues, each confirmed, so many
// unconfirmed at a time, and consumed meanwhile.
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';

export interface RabbitAloneInput {
  readonly url: string;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface RabbitAloneResult {
  /** The smaller of what was confirmed and what was consumed, a second. */
  readonly perSecond: number;
  readonly confirmedPerSecond: number;
  readonly consumedPerSecond: number;
}

const QUEUES = 16;
const BODY_BYTES = 400;
const OUTSTANDING = 256;
const PREFETCH = 500;

interface Tally {
  confirmed: number;
  consumed: number;
}

export async function runRabbitAlone(input: RabbitAloneInput): Promise<RabbitAloneResult> {
  const names = Array.from({ length: QUEUES }, (_, n) => `busbar-bench.${String(n)}`);
  const publishing = await connect(input.url);
  const consuming = await connect(input.url);
  try {
    const publisher = await publishing.createConfirmChannel();
    for (const name of names) {
      await publisher.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    }
    const tally: Tally = { confirmed: 0, consumed: 0 };
    await Promise.all(names.map((name) => consume(consuming, name, tally)));
    const publishers = keepPublishing(publisher, names, tally);
    await after(input.warmUpMs);
    const before = { ...tally };
    const startMs = performance.now();
    await after(input.measureMs);
    const seconds = (performance.now() - startMs) / 1000;
    const confirmedPerSecond = (tally.confirmed - before.confirmed) / seconds;
    const consumedPerSecond = (tally.consumed - before.consumed) / seconds;
    publishers.stop();
    await publisher.waitForConfirms();
    for (const name of names) await publisher.deleteQueue(name);
    return {
      perSecond: Math.min(confirmedPerSecond, consumedPerSecond),
      confirmedPerSecond,
      consumedPerSecond,
    };
  } finally {
    await Promise.allSettled([publishing.close(), consuming.close()]);
  }
}

/** On a channel of its own, acknowledging together what came together. */
async function consume(connection: ChannelModel, name: string, tally: Tally): Promise<void> {
  const channel: Channel = await connection.createChannel();
  await channel.prefetch(PREFETCH);
  let last: Parameters<Channel['ack']>[0] | undefined;
  await channel.consume(name, (message) => {
    if (message === null) return;
    tally.consumed += 1;
    if (last === undefined) {
      setImmediate(() => {
        if (last !== undefined) channel.ack(last, true);
        last = undefined;
      });
    }
    last = message;
  });
}

function keepPublishing(channel: ConfirmChannel, names: readonly string[], tally: Tally): { stop(): void } {
  const body = Buffer.alloc(BODY_BYTES, 'x');
  let stopped = false;
  let next = 0;
  const publish = (): void => {
    if (stopped) return;
    const name = names[next % QUEUES] ?? '';
    next += 1;
    channel.publish('', name, body, { persistent: true, mandatory: true }, () => {
      tally.confirmed += 1;
      publish();
    });
  };
  for (let n = 0; n < OUTSTANDING; n += 1) publish();
  return { stop: () => (stopped = true) };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
