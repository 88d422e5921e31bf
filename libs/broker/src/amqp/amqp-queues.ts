import { AppError, withDeadline } from '@busbar/core';
import type { Channel } from 'amqplib';
import { guarded } from '../guarded';
import type { BrokerParts } from '../open-subscriptions';
import type { Broker } from '../port';
import { checkConsumeOptions, queueName } from '../queue-rules';
import { createQueueOutages } from '../standby';
import { encodeBody } from './codec';
import type { ConfirmedPublisher } from './confirmed-publisher';
import type { Link } from './link';
import { createQueueConsumer } from './queue-consumer';
import { noAnswer } from './no-answer';
import { closeChannel, type AmqpSession } from './session';
import type { AmqpSettings } from './settings';
import type { Subscribers } from './subscribers';
import { declareDurableQueue } from './topology';

const PRECONDITION_FAILED = 406;

interface AmqpQueuesDeps extends BrokerParts {
  readonly settings: AmqpSettings;
  readonly link: Link;
  readonly publisher: ConfirmedPublisher;
  readonly subscribers: Subscribers;
}

export interface AmqpQueues {
  readonly port: Pick<Broker, 'declareQueue' | 'enqueue' | 'consume' | 'depth'>;
  /** On a new session: declares all queues again, including those that are declared meanwhile. */
  declareAll(session: AmqpSession): Promise<void>;
}

/** The durable half of the broker. */
export function createAmqpQueues(deps: AmqpQueuesDeps): AmqpQueues {
  const { settings, link, publisher, subscribers } = deps;
  const { clock, logger, setupMs } = settings;
  /** The queues that this process declared, and whether each belongs to a partitioned channel. */
  const declared = new Map<string, boolean>();
  const outages = createQueueOutages(clock, logger);

  const declareOn = async (channel: Channel, name: string): Promise<void> => {
    const partitioned = declared.get(name);
    if (partitioned === undefined) return;
    const declaring = declareDurableQueue(channel, name, partitioned, settings);
    const late = noAnswer(`queue ${name}, which may have no leader`);
    await withDeadline(clock, setupMs, declaring, late).catch((error: unknown) => {
      throw declareFailure(name, error);
    });
  };

  const declareOnSession = async (session: AmqpSession, names: readonly string[]): Promise<void> => {
    const channel = await session.openChannel('declaring queues');
    try {
      for (const name of names) await declareOn(channel, name);
    } finally {
      await closeChannel(settings, channel);
    }
  };

  /**
   * A queue without a leader must not prevent the others from working. Its consumer declares it again, or the next
   * session does. Rejects when no queue can be declared.
   */
  const declareThoseThatCan = async (session: AmqpSession, names: readonly string[]): Promise<void> => {
    try {
      await declareOnSession(session, names);
    } catch (error) {
      if (names.length === 1 || !session.alive()) throw error;
      // Each on a channel of its own: a declaration that hangs blocks those behind it.
      const each = await Promise.allSettled(names.map((name) => declareOnSession(session, [name])));
      const ill = names.filter((_, n) => each[n]?.status === 'rejected');
      if (ill.length === names.length || !session.alive()) throw error;
      if (ill.length > 0) logger.warn({ err: error, queues: ill }, 'queues cannot be declared; the others work');
    }
  };

  return {
    port: {
      async declareQueue(channel, partitions = 1) {
        deps.mustRun();
        const count = channel.partitioned ? partitions : 1;
        const names = Array.from({ length: count }, (_, n) => queueName(channel, n));
        const fresh = names.filter((name) => !declared.has(name));
        for (const name of names) declared.set(name, channel.partitioned);
        try {
          await declareOnSession(await link.whenUp(setupMs), names);
        } catch (error) {
          // A declaration that was refused once would be refused at every reconnect.
          for (const name of fresh) declared.delete(name);
          throw error;
        }
      },
      enqueue(channel, partition, body, done) {
        let content: Buffer;
        try {
          content = encodeBody(channel, body);
        } catch (err) {
          // The publisher of the body logs the error where it is final.
          logger.warn({ err, queue: queueName(channel, partition) }, 'a body could not be encoded');
          setImmediate(() => guarded(logger, 'done', () => done('unsendable')));
          return;
        }
        publisher.publish({ queue: queueName(channel, partition), content }, done);
      },
      async consume(channel, partition, options, handler) {
        deps.mustRun();
        checkConsumeOptions(channel, options);
        const queue = queueName(channel, partition);
        const declare = (on: Channel): Promise<void> => declareOn(on, queue);
        const consumer = createQueueConsumer({ settings, channel, queue, options, handler, declare, ...outages });
        const close = await subscribers.add(consumer).catch((error: unknown) => {
          throw consumeFailure(queue, error);
        });
        return deps.subscriptions.add(async () => {
          await consumer.finish(settings.drainMs);
          await close();
        });
      },
      async depth(channel, partition) {
        const name = queueName(channel, partition);
        const session = link.current();
        if (!session) throw new AppError('unavailable', `RabbitMQ at ${settings.shownUrl} is unavailable.`);
        const checking = await session.openChannel(`the depth of ${name}`).catch((error: unknown) => {
          throw unavailable(error);
        });
        return countMessages(checking, name, settings);
      },
    },
    async declareAll(session) {
      const done = new Set<string>();
      for (;;) {
        const names = [...declared.keys()].filter((name) => !done.has(name));
        if (names.length === 0) return;
        await declareThoseThatCan(session, names);
        for (const name of names) done.add(name);
      }
    },
  };
}

function declareFailure(name: string, error: unknown): AppError {
  if (codeOf(error) !== PRECONDITION_FAILED) return unavailable(error);
  const message =
    `The queue ${name} exists in RabbitMQ with other settings than this version's: ` +
    'wait until it is empty, delete it there, and start again.';
  return new AppError('invalid_configuration', message, { cause: error });
}

function consumeFailure(name: string, error: unknown): AppError {
  if (codeOf(error) !== 404) return unavailable(error);
  return new AppError('internal', `The queue ${name} was not declared.`, { cause: error });
}

function unavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('unavailable', 'The connection to RabbitMQ broke, or RabbitMQ refused the operation.', {
    cause: error,
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The messages in a queue. Closes the channel on which it asks. */
async function countMessages(channel: Channel, name: string, settings: AmqpSettings): Promise<number> {
  try {
    const late = noAnswer(`queue ${name}`);
    const { messageCount } = await withDeadline(settings.clock, settings.setupMs, channel.checkQueue(name), late);
    return messageCount;
  } catch (error) {
    throw consumeFailure(name, error);
  } finally {
    await closeChannel(settings, channel);
  }
}
