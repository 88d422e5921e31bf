// Stalls, alarms and nacks: a real server does not show them on demand. The channel is a stand-in that records its
// publications; everything else is tested against RabbitMQ.
import { EventEmitter } from 'node:events';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { PublishFailure } from '../port';
import { MAX_BODY_BYTES } from './codec';
import { createConfirmedPublisher } from './confirmed-publisher';
import type { AmqpSession } from './session';
import { settingsOf } from './settings';

const STALL_MS = 15_000;

describe('a confirmed publisher', () => {
  it('ends a session whose queue confirms nothing for long, and fails the unconfirmed bodies', () => {
    const { clock, publish, outcomes, abandoned, logger } = createWorld();
    publish('silent');
    clock.advance(STALL_MS);
    expect(abandoned).toEqual([]);

    clock.advance(STALL_MS);

    expect(abandoned).toEqual(['no confirms from silent']);
    expect(outcomes).toEqual(['unavailable']);
    expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
  });

  it('keeps the session when a queue confirms one body in the stall time', () => {
    const { clock, publish, confirms, abandoned } = createWorld();
    for (let round = 0; round < 5; round += 1) {
      publish('slow');
      publish('slow');
      confirms.shift()?.(null);
      clock.advance(STALL_MS);
    }
    expect(abandoned).toEqual([]);
  });

  it('detects a silent queue beside a busy one', () => {
    const { clock, publish, confirms, abandoned } = createWorld();
    publish('silent');
    for (let round = 0; round < 2; round += 1) {
      publish('busy');
      confirms.pop()?.(null);
      clock.advance(STALL_MS);
    }
    expect(abandoned).toEqual(['no confirms from silent']);
  });

  it('rejects bodies while RabbitMQ blocks publishers, and does not count that time as silence', async () => {
    const { clock, publish, setBlocked, outcomes, abandoned } = createWorld();
    publish('q');
    setBlocked(true);
    clock.advance(10 * STALL_MS);
    expect(abandoned).toEqual([]);
    publish('q');
    await eventually(() => outcomes.length === 1);
    expect(outcomes).toEqual(['refused']);

    setBlocked(false);
    clock.advance(STALL_MS);
    expect(abandoned).toEqual([]);
  });

  it('reports a nack as refused', () => {
    const { publish, confirms, outcomes } = createWorld();
    publish('q');
    confirms.shift()?.(new Error('message nacked'));
    expect(outcomes).toEqual(['refused']);
  });

  it('rejects a body for which RabbitMQ would close the channel', async () => {
    const { publish, confirms, outcomes, logger } = createWorld();
    publish('q', MAX_BODY_BYTES + 1);
    await eventually(() => outcomes.length === 1);
    expect(outcomes).toEqual(['unsendable']);
    expect(confirms).toEqual([]);
    expect(logger.lines.map(({ message }) => message)).toEqual(['a body is too large for RabbitMQ']);
  });

  it('rejects bodies beyond the limit of unconfirmed bytes', async () => {
    const { publish, outcomes } = createWorld();
    publish('q', 600);
    publish('q', 600);
    await eventually(() => outcomes.length === 1);
    expect(outcomes).toEqual(['refused']);
  });

  it('keeps the channel when a callback throws', () => {
    const { publisher, confirms, logger } = createWorld();
    publisher.publish(batch('q', 1), () => {
      throw new Error('a fault of the caller');
    });
    confirms.shift()?.(null);
    expect(logger.lines[0]).toMatchObject({ level: 'error', fields: { what: 'done' } });
  });
});

function batch(queue: string, bytes: number) {
  return { queue, content: Buffer.alloc(bytes) };
}

function createWorld() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const confirms: ((error: Error | null) => void)[] = [];
  const outcomes: (PublishFailure | undefined)[] = [];
  const abandoned: string[] = [];
  let blocked = false;
  const publisher = createConfirmedPublisher(
    settingsOf({ url: 'amqp://x', logger, clock, maxUnconfirmedBytes: 1_000 }),
  );
  const channel = Object.assign(new EventEmitter(), {
    publish: (...[, , , , confirm]: [string, string, Buffer, object, (error: Error | null) => void]) =>
      confirms.push(confirm),
  });
  const session = {
    confirms: channel,
    alive: () => true,
    blocked: () => blocked,
    abandon(reason: string) {
      abandoned.push(reason);
      publisher.detach();
    },
  };
  publisher.attach(session as unknown as AmqpSession);
  return {
    clock,
    logger,
    publisher,
    confirms,
    outcomes,
    abandoned,
    publish: (queue: string, bytes = 1) => publisher.publish(batch(queue, bytes), (failure) => outcomes.push(failure)),
    setBlocked: (now: boolean) => {
      blocked = now;
    },
  };
}
