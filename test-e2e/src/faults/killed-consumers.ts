// A consumer that dies again and again with everything it may hold unacknowledged in its hands: RabbitMQ counts each
// delivery against the messages, and nothing may come of that.
import { createBroker } from '@busbar/runtime';
import { channels } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { createRecordingLogger, eventually } from '@busbar/testing';
import type { FaultWorld } from './network-episodes';
import type { Random } from './random';

/** The prefetch of charger-state: MAX_BATCH of its partition-consumers.ts. */
const PREFETCH = 20;

/** Kills the only replica `times` times, each time once the queue shows that it holds a full prefetch. */
export async function killedConsumers({ network, episode }: FaultWorld, random: Random, times: number): Promise<void> {
  const [replica] = network.replicas;
  if (replica === undefined) throw new Error('no charger-state');
  const broker = createBroker(network.rabbit.url, { logger: createRecordingLogger(), clock: systemClock });
  await broker.start();
  const waiting = (): Promise<number> => broker.depth(channels.reports, 0);
  try {
    await episode({
      random,
      paceMs: 5,
      load: 'reports',
      async fault(fleet) {
        for (let kill = 0; kill < times; kill += 1) {
          await replica.end('SIGKILL');
          // Nobody takes them, and they are still answered: they pile up.
          const before = await eventually(
            async () => ((await waiting()) > 2 * PREFETCH ? waiting() : undefined),
            120_000,
          );
          // Killed before it says that it is ready, as soon as the queue shows what it holds. Chargers keep filling the
          // queue while it starts, so a fall is looked for, from whatever height.
          let highest = before;
          replica.start().catch(() => undefined);
          await eventually(async () => {
            const now = await waiting();
            highest = Math.max(highest, now);
            return now <= highest - PREFETCH / 2;
          }, 60_000);
        }
        await replica.end('SIGKILL');
        await replica.start();
        // The backlog of a minute and a half stands before the reports that chargers send now.
        fleet.calm();
        await eventually(async () => (await waiting()) < PREFETCH, 120_000);
      },
    });
  } finally {
    await broker.stop();
  }
}
