// Keeps a session: connects, sets up, and repeats both after a loss. amqplib's own recovery waits without limit for a
// set-up and for a frozen server to close. It also knows one connection only, and a session has two.
import { AppError, backoff, createOutageReporter, type Timer } from '@busbar/core';
import { createLatch } from '../latch';
import type { AmqpSession } from './session';
import type { AmqpSettings } from './settings';

const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

interface LinkDeps {
  readonly settings: AmqpSettings;
  readonly open: () => Promise<AmqpSession>;
  /** Declares and subscribes everything on a new session. When it rejects, `takeDown` undoes what it began. */
  readonly setUp: (session: AmqpSession) => Promise<void>;
  readonly takeDown: () => void;
  readonly notify: (up: boolean) => void;
}

export type Link = ReturnType<typeof createLink>;

export function createLink({ settings, open, setUp, takeDown, notify }: LinkDeps) {
  const { clock, logger, observe, shownUrl } = settings;
  const waits = backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'RabbitMQ is unavailable; reconnecting',
    ended: 'RabbitMQ is available again; everything is declared and subscribed',
  });
  let session: AmqpSession | undefined;
  let stopped = false;
  const isStopped = (): boolean => stopped;
  let retry: Timer | undefined;
  let attempt: Promise<void> = Promise.resolve();
  let up = createLatch();

  const connect = async (): Promise<void> => {
    const opened = await open();
    try {
      if (isStopped()) throw new Error('stopped while connecting');
      await setUp(opened);
      if (isStopped() || !opened.alive()) throw new Error('the session was lost during its set-up');
    } catch (error) {
      takeDown();
      await opened.close();
      throw error;
    }
    session = opened;
    opened.onLost((reason) => lost(opened, reason));
    waits.reset();
    up.open();
    notify(true);
  };

  const lost = (dead: AmqpSession, reason: string): void => {
    session = undefined;
    up = createLatch();
    takeDown();
    outages.report(shownUrl, reason);
    observe('lost');
    notify(false);
    attempt = dead.close();
    scheduleRetry();
  };

  const scheduleRetry = (): void => {
    if (stopped) return;
    retry = clock.after(waits.next(), () => {
      attempt = connect().then(
        () => {
          outages.clear(shownUrl);
          observe('reconnected');
        },
        (error: unknown) => {
          logger.debug({ err: error, url: shownUrl }, 'connecting to RabbitMQ failed');
          if (!stopped) outages.report(shownUrl, messageOf(error));
          scheduleRetry();
        },
      );
    });
  };

  return {
    /** The session, once it is set up. */
    current: () => session,
    /** The first connection. When it fails, this rejects with AppError and stops trying. */
    async start() {
      try {
        await connect();
      } catch (error) {
        throw startFailure(shownUrl, error);
      }
      logger.info({ url: shownUrl }, 'connected to RabbitMQ');
    },
    async stop() {
      stopped = true;
      retry?.cancel();
      const last = session;
      session = undefined;
      // Closing the session ourselves is no loss.
      last?.onLost(() => undefined);
      takeDown();
      await Promise.all([attempt.catch(() => undefined), last?.close()]);
    },
    /** Resolves with a session that is set up, or rejects with `unavailable` after `ms`. */
    async whenUp(ms: number): Promise<AmqpSession> {
      if (!session) await up.wait(clock, ms);
      if (!session) throw new AppError('unavailable', `RabbitMQ at ${shownUrl} is unavailable.`);
      return session;
    },
  };
}

function startFailure(shownUrl: string, error: unknown): AppError {
  if (error instanceof AppError && error.code === 'invalid_configuration') return error;
  const reason = messageOf(error);
  const advice = adviceFor(reason);
  const message = `Cannot use the message broker at ${shownUrl} (${reason.replace(/\.$/, '')}): ${advice} or correct BROKER_URL.`;
  return new AppError('unavailable', message, { cause: error });
}

function adviceFor(reason: string): string {
  if (reason.includes('ACCESS')) return 'correct its user name and password';
  if (/alert/i.test(reason)) return 'set BROKER_CERT_FILE and BROKER_KEY_FILE to a certificate that it accepts';
  if (/certificate/i.test(reason)) return 'set BROKER_CA_FILE to the authority that signed its certificate';
  return 'start RabbitMQ there';
}

/** Node tries all addresses of a name and reports the errors together, without a message of its own. */
function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
