// One session with RabbitMQ: two sockets and their channels for publishing. The loss of any part ends the whole
// session, and the link opens a new one. Publishing has its own socket because RabbitMQ stops reading from a
// publisher's socket when it lacks memory or disk. Acknowledgements, which free both, must not wait behind it.
import type { Duplex } from 'node:stream';
import { withDeadline } from '@busbar/core';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { AmqpSettings } from './settings';
import { noAnswer } from './no-answer';

const HEARTBEAT_S = 5;
const CLOSE_MS = 1_000;

export interface AmqpSession {
  /** For confirmed messages. */
  readonly confirms: ConfirmChannel;
  /** For letters, requests, responses and broadcasts. */
  readonly sends: Channel;
  /** A new channel on the consuming socket. Rejects when that takes longer than a set-up step may. */
  openChannel(what: string): Promise<Channel>;
  alive(): boolean;
  /** True while RabbitMQ blocks publishers (memory or disk alarm). */
  blocked(): boolean;
  /** The listener is called once, when the session is lost other than by `close`. */
  onLost(listener: (reason: string) => void): void;
  /** Ends the session as if it were lost. */
  abandon(reason: string): void;
  close(): Promise<void>;
}

/** Connects twice and opens the publishing channels. Rejects with the error of the network or RabbitMQ. */
export async function openSession(settings: AmqpSettings): Promise<AmqpSession> {
  const publishing = await dial(settings, 'publish');
  let consuming: ChannelModel | undefined;
  try {
    consuming = await dial(settings, 'consume');
    return await buildSession(settings, publishing, consuming);
  } catch (error) {
    const opened = consuming ? [publishing, consuming] : [publishing];
    await Promise.all(opened.map((model) => closeConnection(settings, model)));
    throw error;
  }
}

/**
 * Closes the session; resolves when it is closed, or after a second. Unacknowledged deliveries are requeued in order.
 */
export async function closeChannel(settings: AmqpSettings, channel: Channel): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    channel.once('close', resolve);
    // Rejects when the connection is closed; never resolves when it ends first.
    channel.close().then(resolve, () => resolve());
  });
  await withDeadline(settings.clock, CLOSE_MS, closed, noAnswer('closing a channel')).catch(() => undefined);
}

async function buildSession(
  settings: AmqpSettings,
  publishing: ChannelModel,
  consuming: ChannelModel,
): Promise<AmqpSession> {
  const { clock, logger, setupMs } = settings;
  let alive = true;
  let isBlocked = false;
  let lostListener: ((reason: string) => void) | undefined;

  const lost = (reason: string): void => {
    if (!alive) return;
    alive = false;
    lostListener?.(reason);
  };

  const open = async <Kind extends Channel>(what: string, opening: Promise<Kind>): Promise<Kind> => {
    const channel = await withDeadline(clock, setupMs, opening, noAnswer(`opening a channel for ${what}`));
    channel.on('error', (err) => logger.warn({ err, what }, 'RabbitMQ closed a channel'));
    channel.on('handler-error', (err) => logger.error({ err, what }, 'a handler of a channel threw'));
    return channel;
  };

  for (const model of [publishing, consuming]) {
    model.on('close', (error?: Error) => lost(error?.message ?? 'the connection was closed'));
  }
  publishing.on('blocked', (reason) => {
    isBlocked = true;
    logger.warn({ reason }, 'RabbitMQ blocks publishers: it lacks memory or disk space');
  });
  publishing.on('unblocked', () => {
    isBlocked = false;
    logger.info({}, 'RabbitMQ accepts messages again');
  });

  const confirms = await open('confirmed publishing', publishing.createConfirmChannel());
  const sends = await open('publishing', publishing.createChannel());
  for (const channel of [confirms, sends]) channel.on('close', () => lost('a publishing channel was closed'));

  return {
    confirms,
    sends,
    openChannel: (what) => open(what, consuming.createChannel()),
    alive: () => alive,
    blocked: () => isBlocked,
    onLost(listener) {
      lostListener = listener;
    },
    abandon: lost,
    async close() {
      alive = false;
      await Promise.all([publishing, consuming].map((model) => closeConnection(settings, model)));
    },
  };
}

async function dial({ url, setupMs, logger, readTls }: AmqpSettings, purpose: string): Promise<ChannelModel> {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_S));
  const model = await connect(address.href, {
    ...readTls(),
    timeout: setupMs,
    // Nagle's algorithm would delay acknowledgements and small messages.
    noDelay: true,
    clientProperties: { connection_name: `busbar ${purpose}` },
  });
  // 'close' follows with the same reason. An error without a listener would end the process.
  model.on('error', (err) => logger.debug({ err, purpose }, 'a connection to RabbitMQ failed'));
  return model;
}

async function closeConnection({ clock }: AmqpSettings, model: ChannelModel): Promise<void> {
  const closing = new Promise<void>((resolve) => {
    model.once('close', () => resolve());
    model.close().then(resolve, () => resolve());
  });
  await withDeadline(clock, CLOSE_MS, closing, noAnswer('closing a connection')).catch(() => destroySocket(model));
}

/**
 * amqplib only ends its socket, which waits for ever for a frozen peer while the heartbeat timers run. Destroying it
 * with an error clears both. amqplib's types lack the socket.
 */
function destroySocket(model: ChannelModel): void {
  const { stream } = model.connection as unknown as { stream?: Duplex };
  stream?.destroy(new Error('no response to closing'));
}
