// The broker of the one-process mode. Nothing outlives the process, so a body is confirmed when its consumer has stored
// it. Bodies are passed by reference.
import { AppError, systemClock, type Clock, type Logger } from '@busbar/core';
import { createConnectionListeners } from '../connection-listeners';
import { createOpenSubscriptions } from '../open-subscriptions';
import { createPendingRequests } from '../pending-requests';
import type { Broker } from '../port';
import type { MessageContext } from '../message-context';
import { createMemoryHub, type MemoryHub } from './memory-hub';
import { createMemoryLetters } from './memory-letters';
import { createMemoryQueues } from './memory-queues';
import { silentLogger } from './silent-logger';

const MAX_REQUESTS = 10_000;
const DRAIN_MS = 4_000;

export interface MemoryBrokerOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Connects brokers of this process. Default: none. */
  readonly hub?: MemoryHub;
  /**
   * The most bodies in one queue or partition; more are rejected. Default 10,000. Not with `hub`, which has its own
   * limit.
   */
  readonly maxQueued?: number;
  /** The most pending requests of this broker; more are `unavailable`. Default 10,000. */
  readonly maxRequests?: number;
  /** Closing and stopping wait at most this long for the current batch. Default 4,000. */
  readonly drainMs?: number;
  readonly context?: MessageContext | undefined;
}

/** A broker within this process. It accepts nothing before `start` and after `stop`. */
export function createMemoryBroker(options: MemoryBrokerOptions = {}): Broker {
  const { logger = silentLogger, clock = systemClock, drainMs = DRAIN_MS } = options;
  const pending = createPendingRequests(clock, options.maxRequests ?? MAX_REQUESTS);
  const connection = createConnectionListeners(logger);
  const subscriptions = createOpenSubscriptions();
  let state: 'new' | 'up' | 'stopping' | 'stopped' = 'new';
  let stopping: Promise<void> | undefined;

  const isUp = (): boolean => state === 'up';
  // While it stops, current batches finish, and their publications are still accepted.
  const takes = (): boolean => state === 'up' || state === 'stopping';
  const mustRun = (): void => {
    if (!isUp()) throw new AppError('unavailable', 'The broker is not started.');
  };
  const hub = options.hub ?? createMemoryHub(options);
  const queues = createMemoryQueues({ hub, logger, clock, subscriptions, mustRun, takes, drainMs });
  const letters = createMemoryLetters({
    hub,
    logger,
    context: options.context,
    pending,
    subscriptions,
    mustRun,
    takes,
  });

  const stop = async (): Promise<void> => {
    state = isUp() ? 'stopping' : 'stopped';
    await subscriptions.closeAll();
    pending.completeAll({ outcome: 'lost' });
    await queues.flush();
    state = 'stopped';
  };

  return {
    name: 'broker',
    start() {
      if (state === 'up') return Promise.resolve();
      if (state !== 'new') return Promise.reject(new AppError('unavailable', 'A stopped broker cannot start again.'));
      state = 'up';
      connection.notify(true);
      return Promise.resolve();
    },
    stop: () => (stopping ??= stop()),
    ready: isUp,
    onConnection: (listener) => connection.add(listener),
    ...queues.port,
    ...letters,
  };
}
