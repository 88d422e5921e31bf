// The broker of the one-process mode. Nothing leaves the process and nothing outlives it, so `done` waits for what makes
// a body safe here: that its consumer has stored it. Bodies are handed over as they are, never copied.
import { AppError, systemClock, type Clock, type Logger } from '@busbar/core';
import { createConnectionListeners } from '../connection-listeners';
import { createOpenSubscriptions } from '../open-subscriptions';
import { createPendingRequests } from '../pending-requests';
import type { Broker } from '../port';
import { createMemoryHub, type MemoryHub } from './memory-hub';
import { createMemoryLetters } from './memory-letters';
import { createMemoryQueues } from './memory-queues';
import { silentLogger } from './silent-logger';

const MAX_REQUESTS = 10_000;
const DRAIN_MS = 4_000;

export interface MemoryBrokerOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** To reach other brokers of this process. Without one the broker is alone. */
  readonly hub?: MemoryHub;
  /** The most bodies in one queue or partition; more are refused. Default 10,000. Not with `hub`, which has its own. */
  readonly maxQueued?: number;
  /** The most requests of this broker that wait for an answer; more are `unavailable`. Default 10,000. */
  readonly maxRequests?: number;
  /** How long closing and stopping wait for a batch that is being handled. Default 4,000. */
  readonly drainMs?: number;
}

/** A broker within this process. As with any other, nothing is taken before `start` and after `stop`. */
export function createMemoryBroker(options: MemoryBrokerOptions = {}): Broker {
  const { logger = silentLogger, clock = systemClock, drainMs = DRAIN_MS } = options;
  const pending = createPendingRequests(clock, options.maxRequests ?? MAX_REQUESTS);
  const connection = createConnectionListeners(logger);
  const subscriptions = createOpenSubscriptions();
  let state: 'new' | 'up' | 'stopping' | 'stopped' = 'new';
  let stopping: Promise<void> | undefined;

  const isUp = (): boolean => state === 'up';
  // While it stops, batches in hand are finished, and what they publish is still taken.
  const takes = (): boolean => state === 'up' || state === 'stopping';
  const mustRun = (): void => {
    if (!isUp()) throw new AppError('unavailable', 'The broker is not started.');
  };
  const hub = options.hub ?? createMemoryHub(options);
  const queues = createMemoryQueues({ hub, logger, clock, subscriptions, mustRun, takes, drainMs });
  const letters = createMemoryLetters({ hub, logger, pending, subscriptions, mustRun, takes });

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
      if (state !== 'new') return Promise.reject(new AppError('unavailable', 'A stopped broker does not start again.'));
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
