// The feed of events: how much a reader gets under load, and how long an event takes to the stream.
import { STATUSES } from '../load/rate-load';
import type { Goal, FeedGoal, StreamGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import type { World } from '../worlds/world';
import {
  connectAll,
  GRACE_MS,
  processorsOf,
  untilQuiet,
  withCpu,
  withGenerator,
  type BenchContext,
} from './bench-context';
import { figure, type Measurement } from './measurement';
import { latencies, measureProbe } from './probe';

/** Statuses as fast as they are answered, and a reader in a process of its own. */
export async function measureFeed(context: BenchContext, goal: FeedGoal): Promise<Measurement> {
  const { world, warmUpMs, measureMs } = context;
  const running = world.running();
  const within = warmUpMs + measureMs + GRACE_MS;
  return withGenerator(context, (ask) =>
    withGenerator(context, async (read) => {
      await connectAll(ask, running.plain, { chargerIds: chargerIds(goal.chargers) });
      await untilQuiet(running);
      const load = { load: STATUSES, warmUpMs, measureMs } as const;
      const reader = { ...readerOf(world), warmUpMs, measureMs };
      const { value, cpu } = await withCpu(running.pids, () =>
        context.profiled(() => Promise.all([ask('rate', load, within), read('feed', reader, within)])),
      );
      await ask('cut', null, GRACE_MS);
      await untilQuiet(running);
      const [rate, feed] = value;
      const behindS = feed.behindMs / 1000;
      const counts = rate.failed === 0 && feed.events > 0;
      return {
        headline: `${figure(feed.perSecond)} events/s`,
        beside: [`at the end ${figure(behindS)} s later`],
        shown: `${figure(feed.perSecond)} events/s, all read ${figure(behindS)} s after the load`,
        isMet: counts && behindS <= goal.behindS,
        counts,
        merit: feed.perSecond,
        remarks: [
          `${figure(rate.perSecond)} answers/s, ${figure(feed.perSecond)} events/s read, at the end of the feed ${figure(behindS)} s after the load${processorsOf(cpu)}`,
          ...(rate.failed > 0 ? [`does not count: ${figure(rate.failed)} CALLs were refused or not answered`] : []),
        ],
        details: { rate, feed, cpu },
      };
    }),
  );
}

/** From a StatusNotification's frame until the stream has its event, beside 1,000 chargers that send one a second each. */
export function measureStream(context: BenchContext, goal: StreamGoal): Promise<Measurement> {
  return measureProbe(context, {
    run: (ask, probe, within) => ask('stream', { ...readerOf(context.world), ...probe }, within),
    shown: latencies,
    isFast: ({ p50Ms, p99Ms }) => p50Ms <= goal.p50Ms && p99Ms <= goal.p99Ms,
    failure: 'events did not come within 10 s',
  });
}

/** Whether push has to run for a goal. */
export function delivers({ kind }: Goal): boolean {
  return kind === 'deliveries' || kind === 'slow-receiver';
}

function readerOf(world: World) {
  return { target: world.running().v2, headers: { 'x-api-key': world.apiKey } };
}
