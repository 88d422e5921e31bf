import type { KilledGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
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

const CONNECT_MS = 120_000;

/** The program that holds the sockets is killed and started again: from the kill until the last charger is admitted. */
export async function measureKilled(context: BenchContext, goal: KilledGoal): Promise<Measurement> {
  const { world } = context;
  const ids = chargerIds(goal.chargers);
  return withGenerator(context, async (ask) => {
    await connectAll(ask, world.running().plain, { chargerIds: ids }, CONNECT_MS);
    await untilQuiet(world.running());
    const startMs = performance.now();
    await world.killGateway();
    const startedS = (performance.now() - startMs) / 1000;
    const running = world.running();
    const input = { target: running.plain, chargerIds: ids, concurrency: ids.length, withinMs: CONNECT_MS };
    const { value: opened, cpu } = await withCpu(running.pids, () => ask('open', input, CONNECT_MS + GRACE_MS));
    const seconds = startedS + opened.ms / 1000;
    if (opened.open < ids.length) throw new Error(`only ${figure(opened.open)} chargers came back`);
    await ask('cut', null, GRACE_MS);
    await untilQuiet(running);
    const { rejectedWithRetry, failures } = opened;
    const shown = `${figure(seconds)} s`;
    return {
      headline: shown,
      beside: [],
      shown,
      isMet: seconds <= goal.withinS,
      counts: true,
      merit: -seconds,
      remarks: [
        `the program took ${figure(startedS)} s to start; ${figure(rejectedWithRetry)} were rejected with Retry-After, ${figure(failures)} failed${processorsOf(cpu)}`,
      ],
      details: { seconds, startedS, ...opened, cpu },
    };
  });
}
