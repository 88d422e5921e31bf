// The broker port on RabbitMQ 3.10 and newer. The package's README explains each guarantee.
import { AppError } from '@busbar/core';
import { createConnectionListeners } from '../connection-listeners';
import { createOpenSubscriptions } from '../open-subscriptions';
import { createPendingRequests } from '../pending-requests';
import type { Broker } from '../port';
import { createAmqpLetters } from './amqp-letters';
import { createAmqpQueues } from './amqp-queues';
import { createConfirmedPublisher } from './confirmed-publisher';
import { createLetterSender } from './letter-sender';
import { createLink } from './link';
import { openSession, type AmqpSession } from './session';
import { settingsOf, type AmqpBrokerOptions } from './settings';
import { createSubscribers } from './subscribers';
import { declareExchanges } from './topology';

const FLUSH_MS = 2_000;

/**
 * A broker on RabbitMQ. `start` rejects with AppError `unavailable` when it is unreachable; a later loss heals itself.
 */
export function createAmqpBroker(options: AmqpBrokerOptions): Broker {
  const settings = settingsOf(options);
  const { clock, logger } = settings;
  const listeners = createConnectionListeners(logger);
  const subscriptions = createOpenSubscriptions();
  const pending = createPendingRequests(clock, settings.maxRequests);
  const publisher = createConfirmedPublisher(settings);
  const sender = createLetterSender(settings, (messageId) => pending.complete(messageId, { outcome: 'nobody' }));
  let state: 'new' | 'running' | 'stopping' = 'new';
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const mustRun = (): void => {
    if (state !== 'running') throw new AppError('unavailable', 'The broker is not started.');
  };

  const setUp = async (session: AmqpSession): Promise<void> => {
    await declareExchanges(session.sends);
    await queues.declareAll(session);
    // Before the first delivery, whose handler may publish.
    publisher.attach(session);
    sender.attach(session);
    await subscribers.openAll(session);
  };

  const takeDown = (): void => {
    publisher.detach();
    sender.detach();
    subscribers.detach();
  };

  const link = createLink({
    settings,
    open: () => openSession(settings),
    setUp,
    takeDown,
    notify: (up) => listeners.notify(up),
  });
  const subscribers = createSubscribers(settings);
  const queues = createAmqpQueues({ settings, link, publisher, subscribers, subscriptions, mustRun });
  const letters = createAmqpLetters({ settings, sender, pending, subscribers, subscriptions, mustRun });

  // Without a session it can only wait for one.
  void subscribers.add(letters.inbox);

  const start = async (): Promise<void> => {
    try {
      state = 'running';
      await link.start();
    } catch (error) {
      state = 'new';
      starting = undefined;
      throw error;
    }
  };

  const stop = async (): Promise<void> => {
    state = 'stopping';
    await subscriptions.closeAll();
    pending.completeAll({ outcome: 'lost' });
    await publisher.flush(FLUSH_MS);
    await link.stop();
  };

  return {
    name: 'broker',
    start() {
      if (stopping) return Promise.reject(new AppError('unavailable', 'A stopped broker cannot start again.'));
      return (starting ??= start());
    },
    stop: () => (stopping ??= stop()),
    ready: () => state === 'running' && link.current() !== undefined,
    onConnection: (listener) => listeners.add(listener),
    ...queues.port,
    ...letters.port,
  };
}
