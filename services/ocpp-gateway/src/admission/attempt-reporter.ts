// Sends rejected connection attempts to charger-state in batches: one request in flight, at most one a second. Attempts that
// were not stored are retried; those that exceed the buffer are dropped and counted, unknown chargers first.
import type { Broker } from '@busbar/broker';
import { channels, type ConnectionAttempt } from '@busbar/contracts';
import { createTicker, type Clock } from '@busbar/core';
import { createFairMap, type Origin } from './fair-map';

export interface AttemptReporterDeps {
  readonly broker: Pick<Broker, 'request' | 'ready'>;
  readonly clock: Clock;
  readonly onDropped: (count: number) => void;
}

const EVERY_MS = 1_000;
const BATCH_SIZE = 100;
/** About 300 bytes each. */
const BUFFER = { maxEntries: 2_000, maxPerNetwork: 200 } as const;
const DEADLINE_MS = 5_000;
const LAST_DEADLINE_MS = 1_000;

export function createAttemptReporter({ broker, clock, onDropped }: AttemptReporterDeps) {
  const buffer = createFairMap<ConnectionAttempt>(BUFFER);
  let sending: Promise<void> | undefined;
  const ticker = createTicker(clock, EVERY_MS, () => void sendSome(DEADLINE_MS));

  async function send(deadlineMs: number): Promise<void> {
    const attempts = firstOf(buffer.entries(), BATCH_SIZE);
    const { outcome } = await broker.request(channels.connectionAttempts, '', { attempts }, deadlineMs);
    if (outcome !== 'answered') return;
    for (const { id } of attempts) buffer.delete(id);
  }

  async function sendSome(deadlineMs: number): Promise<void> {
    if (buffer.size() === 0 || !broker.ready()) return;
    sending ??= send(deadlineMs).finally(() => (sending = undefined));
    await sending;
  }

  return {
    add(attempt: ConnectionAttempt, origin: Origin): void {
      if (buffer.add(attempt.id, attempt, origin) !== undefined) onDropped(1);
    },
    start: ticker.start,
    /** Sends a last batch, and drops the rest. */
    async stop(): Promise<void> {
      ticker.stop();
      // A request in flight may take its whole deadline, for which a stop does not wait.
      if (sending === undefined) {
        await sendSome(LAST_DEADLINE_MS);
      }
      for (const [id] of buffer.entries()) buffer.delete(id);
    },
  };
}

function firstOf(entries: Iterable<readonly [string, ConnectionAttempt]>, count: number): ConnectionAttempt[] {
  const attempts: ConnectionAttempt[] = [];
  for (const [, attempt] of entries) {
    if (attempts.push(attempt) === count) break;
  }
  return attempts;
}
