// Confirmed publishing. Messages are mandatory, so that an unroutable one is returned before its confirm (RabbitMQ
// confirms it all the same); the message id finds its callback.
import type { Logger, Timer } from '@busbar/core';
import { guarded } from '../guarded';
import { createLatch } from '../latch';
import type { PublishFailure } from '../port';
import { MAX_BODY_BYTES } from './codec';
import type { AmqpSession } from './session';
import type { AmqpSettings } from './settings';

const STALL_CHECK_MS = 15_000;

type Done = (failure?: PublishFailure) => void;

interface PublishedBatch {
  readonly queue: string;
  readonly content: Buffer;
}

export type ConfirmedPublisher = ReturnType<typeof createConfirmedPublisher>;

/** Messages in flight to one queue, by which a stalled queue is distinguished from a slow one. */
interface Destination {
  unconfirmed: number;
  /** Confirmed or refused since the last check. */
  moved: boolean;
}

interface Unconfirmed {
  readonly done: Done;
  readonly destination: Destination;
  readonly bytes: number;
  returned: boolean;
}

export function createConfirmedPublisher(settings: AmqpSettings) {
  const { clock, logger, observe } = settings;
  const unconfirmed = new Map<string, Unconfirmed>();
  const destinations = new Map<string, Destination>();
  let session: AmqpSession | undefined;
  let stallCheck: Timer | undefined;
  let bytes = 0;
  let lastId = 0;
  let flushed = createLatch();

  const acknowledge = (id: string, outcome: 'confirmed' | 'nacked' | 'lost'): void => {
    const entry = unconfirmed.get(id);
    if (!entry) return;
    unconfirmed.delete(id);
    bytes -= entry.bytes;
    entry.destination.unconfirmed -= 1;
    entry.destination.moved = true;
    const failure = failureOf(entry, outcome);
    if (outcome !== 'lost') observe(failure === 'unroutable' ? 'returned' : outcome);
    if (unconfirmed.size === 0) flushed.open();
    guarded(logger, 'done', () => entry.done(failure));
  };

  const loseAll = (): void => {
    for (const id of [...unconfirmed.keys()]) acknowledge(id, 'lost');
  };

  const destinationOf = (name: string): Destination => {
    let destination = destinations.get(name);
    if (!destination) destinations.set(name, (destination = { unconfirmed: 0, moved: true }));
    return destination;
  };

  const cannot = (content: Buffer): PublishFailure | undefined => {
    if (!session?.alive()) return 'unavailable';
    const limit = Math.min(MAX_BODY_BYTES, settings.maxUnconfirmedBytes);
    if (content.length > limit) {
      logger.warn({ bytes: content.length, limit }, 'a body is too large for RabbitMQ');
      return 'unsendable';
    }
    const full = unconfirmed.size >= settings.maxUnconfirmed || bytes + content.length > settings.maxUnconfirmedBytes;
    return full || session.blocked() ? 'refused' : undefined;
  };

  const send = (target: AmqpSession, batch: PublishedBatch, done: Done): void => {
    lastId += 1;
    const messageId = String(lastId);
    const destination = destinationOf(batch.queue);
    // Throws when the channel is closing: then nothing was sent or recorded.
    target.confirms.publish('', batch.queue, batch.content, { persistent: true, mandatory: true, messageId }, (error) =>
      acknowledge(messageId, error ? 'nacked' : 'confirmed'),
    );
    if (unconfirmed.size === 0) flushed = createLatch();
    unconfirmed.set(messageId, { done, destination, bytes: batch.content.length, returned: false });
    destination.unconfirmed += 1;
    bytes += batch.content.length;
    observe('published');
  };

  const checkStalls = (): void => {
    if (!session) return;
    // A queue is not stalled while RabbitMQ blocks publishers for lack of memory or disk; its time starts anew
    // afterwards.
    const heldBack = session.blocked();
    const stalled = [...destinations].find(([, destination]) => destination.unconfirmed > 0 && !destination.moved);
    if (stalled && !heldBack) {
      const [destination, { unconfirmed: waiting }] = stalled;
      const fields = { destination, unconfirmed: waiting, forMs: STALL_CHECK_MS };
      logger.error(fields, 'RabbitMQ confirms nothing: a queue may have no leader; reconnecting');
      session.abandon(`no confirms from ${destination}`);
      return;
    }
    for (const [name, destination] of destinations) {
      if (destination.unconfirmed === 0) destinations.delete(name);
      destination.moved = heldBack;
    }
  };

  return {
    attach(attached: AmqpSession) {
      session = attached;
      attached.confirms.on('return', ({ properties }) => {
        const entry = unconfirmed.get(String(properties.messageId));
        if (entry) entry.returned = true;
      });
      // Before amqplib's own listener, which would report each returned message as nacked.
      attached.confirms.prependListener('close', () => {
        if (session === attached) loseAll();
      });
      stallCheck?.cancel();
      stallCheck = clock.every(STALL_CHECK_MS, checkStalls);
    },
    /** The session is lost: everything unconfirmed fails with `unavailable`. */
    detach() {
      session = undefined;
      stallCheck?.cancel();
      destinations.clear();
      loseAll();
    },
    /** `done` is called once, never before this returns. */
    publish(batch: PublishedBatch, done: Done) {
      const failure = cannot(batch.content) ?? attempt(logger, () => session && send(session, batch, done));
      if (failure) setImmediate(() => guarded(logger, 'done', () => done(failure)));
    },
    /** Resolves when nothing is unconfirmed, or after `withinMs`. */
    async flush(withinMs: number) {
      if (unconfirmed.size > 0) await flushed.wait(clock, withinMs);
    },
  };
}

function failureOf(entry: Unconfirmed, outcome: 'confirmed' | 'nacked' | 'lost'): PublishFailure | undefined {
  if (outcome === 'lost') return 'unavailable';
  if (entry.returned) return 'unroutable';
  return outcome === 'nacked' ? 'refused' : undefined;
}

function attempt(logger: Logger, run: () => void): PublishFailure | undefined {
  try {
    run();
    return undefined;
  } catch (err) {
    logger.debug({ err }, 'publishing on a channel that is closing');
    return 'unavailable';
  }
}
