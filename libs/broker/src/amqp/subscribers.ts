// All subscriptions of this process, each on a channel of its own. A subscription is opened again when its channel or
// the session is lost, until it is closed.
import { backoff, withDeadline, type Backoff, type Timer } from '@busbar/core';
import type { Channel } from 'amqplib';
import { closeChannel, type AmqpSession } from './session';
import type { AmqpSettings } from './settings';
import { noAnswer } from './no-answer';

const REOPEN_FIRST_MS = 100;
const REOPEN_MAX_MS = 5_000;
const NONE_OPENED = 'no queue can be consumed';
const OVERTAKEN = 'a newer session has replaced it';
const CLOSED_MEANWHILE = 'the channel was closed while the subscription was being opened';
/** After so many failures in a row the session is replaced: channels that RabbitMQ never closes would fill it up. */
const MAX_FAILURES = 100;

export interface Subscriber {
  /** For logs. */
  readonly what: string;
  /** The others do not wait for it on a new session: its queue may have no leader. */
  readonly mayLag?: boolean;
  /**
   * Declares its needs and consumes on the channel. `lost` abandons the channel, to open it again; on standby after the
   * given milliseconds.
   */
  open(channel: Channel, lost: (standbyMs?: number) => void): Promise<void>;
  /** The last `open`'s channel is lost: its unacknowledged deliveries will be redelivered. */
  closed(): void;
}

export interface Subscribers {
  /**
   * Opens the subscription now, and rejects when that fails; while the connection is down, with the next one. Returns
   * its `close`.
   */
  add(subscriber: Subscriber): Promise<() => Promise<void>>;
  /**
   * On a new session: opens all, and from then on each new one. A subscription that may lag and fails is retried in the
   * background. Rejects when none of those opens, or when another one fails.
   */
  openAll(session: AmqpSession): Promise<void>;
  detach(): void;
}

interface Entry {
  readonly subscriber: Subscriber;
  readonly waits: Backoff;
  session: AmqpSession | undefined;
  channel: Channel | undefined;
  opening: Promise<void> | undefined;
  retry: Timer | undefined;
  standbyMs: number | undefined;
  failures: number;
  closed: boolean;
}

export function createSubscribers(settings: AmqpSettings): Subscribers {
  const { clock, logger, setupMs } = settings;
  const entries = new Set<Entry>();
  let current: AmqpSession | undefined;

  const openOn = async (entry: Entry, session: AmqpSession): Promise<void> => {
    entry.session = session;
    const { subscriber } = entry;
    const channel = await session.openChannel(subscriber.what);
    // An attempt may end after its session. A newer one then has the entry.
    const isOurs = (): boolean => entry.channel === channel;
    const giveUp = (standbyMs?: number): void => {
      if (isOurs()) entry.standbyMs = standbyMs;
      void closeChannel(settings, channel);
    };
    let isOpen = false;
    channel.on('close', () => gone(entry, channel, isOpen));
    try {
      if (entry.session !== session) throw new Error(OVERTAKEN);
      entry.channel = channel;
      await withDeadline(clock, setupMs, subscriber.open(channel, giveUp), noAnswer(subscriber.what));
      if (!isOurs()) throw new Error(CLOSED_MEANWHILE);
    } catch (error) {
      if (isOurs()) forget(entry);
      giveUp();
      throw error;
    }
    isOpen = true;
    entry.waits.reset();
    entry.failures = 0;
    if (entry.closed) await closeChannel(settings, channel);
  };

  const open = (entry: Entry, session: AmqpSession): Promise<void> => {
    const opening = openOn(entry, session).finally(() => {
      if (entry.opening === opening) entry.opening = undefined;
    });
    entry.opening = opening;
    return opening;
  };

  /** The opener reopens a subscription that is lost during opening: doing it here too would make two consumers. */
  const gone = (entry: Entry, channel: Channel, wasOpen: boolean): void => {
    if (entry.channel !== channel) return;
    forget(entry);
    if (wasOpen && !entry.closed && entry.session?.alive()) reopen(entry, entry.session);
  };

  const reopen = (entry: Entry, session: AmqpSession): void => {
    const { standbyMs } = entry;
    entry.standbyMs = undefined;
    const waitMs = standbyMs ?? entry.waits.next();
    const { what } = entry.subscriber;
    entry.retry = clock.after(waitMs, () => {
      // Where the whole session was lost, this was only the first sign of it.
      if (entry.closed || !session.alive()) return;
      if (standbyMs === undefined) logger.warn({ what, waitMs }, 'a subscription was lost; subscribing again');
      open(entry, session).catch((err: unknown) => {
        logger.warn({ err, what }, 'subscribing again failed');
        if (++entry.failures % MAX_FAILURES === 0) session.abandon(`${what} cannot be subscribed`);
        if (!entry.closed && session.alive()) reopen(entry, session);
      });
    });
  };

  /** Rejects when it is refused. When the session is lost meanwhile, the next one opens it. */
  const openFirst = async (entry: Entry, session: AmqpSession): Promise<void> => {
    try {
      // Once more: a shared queue may be deleted with its last consumer between declaring and binding.
      await open(entry, session).catch(() => (session.alive() ? open(entry, session) : undefined));
    } catch (error) {
      if (!session.alive()) return;
      entry.closed = true;
      entries.delete(entry);
      throw error;
    }
  };

  const close = async (entry: Entry): Promise<void> => {
    entry.closed = true;
    entry.retry?.cancel();
    entries.delete(entry);
    await entry.opening?.catch(() => undefined);
    const { channel } = entry;
    if (channel && entry.session?.alive()) await closeChannel(settings, channel);
  };

  return {
    async add(subscriber) {
      const entry = entryOf(subscriber);
      entries.add(entry);
      const session = current;
      if (session) await openFirst(entry, session);
      return () => close(entry);
    },
    async openAll(session) {
      current = session;
      const laggards = await openThoseThatCan([...entries], session, { open, logger });
      for (const entry of laggards) if (!entry.closed) reopen(entry, session);
    },
    detach() {
      current = undefined;
      for (const entry of entries) {
        entry.retry?.cancel();
        if (entry.channel) forget(entry);
      }
    },
  };
}

function entryOf(subscriber: Subscriber): Entry {
  const waits = backoff({ firstMs: REOPEN_FIRST_MS, maxMs: REOPEN_MAX_MS });
  const blank = { session: undefined, channel: undefined, opening: undefined, retry: undefined, standbyMs: undefined };
  return { subscriber, waits, ...blank, failures: 0, closed: false };
}

function forget(entry: Entry): void {
  entry.channel = undefined;
  entry.subscriber.closed();
}

/** Returns those that may lag and failed. Rejects when all of several failed, or one that must not lag. */
async function openThoseThatCan(
  entries: readonly Entry[],
  session: AmqpSession,
  { open, logger }: Pick<AmqpSettings, 'logger'> & { open(entry: Entry, session: AmqpSession): Promise<void> },
): Promise<readonly Entry[]> {
  const laggards: Entry[] = [];
  const opening = entries.map((entry) =>
    open(entry, session).catch((error: unknown) => {
      const { what, mayLag } = entry.subscriber;
      if (!mayLag || !session.alive()) throw error;
      laggards.push(entry);
      logger.warn({ err: error, what }, 'a subscription cannot be opened; the others work');
    }),
  );
  await Promise.all(opening);
  // When none opens, the fault is not in one queue.
  const mayLag = entries.filter(({ subscriber }) => subscriber.mayLag).length;
  if (laggards.length > 1 && laggards.length === mayLag) throw new Error(NONE_OPENED);
  return laggards;
}
