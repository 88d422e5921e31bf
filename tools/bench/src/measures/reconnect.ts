import type { ReconnectGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import {
  connectAll,
  GRACE_MS,
  processorsOf,
  residentOf,
  untilQuiet,
  withCpu,
  withGenerator,
  type BenchContext,
} from './bench-context';
import { figure, megabytes, type Measurement } from './measurement';

const CONNECT_MS = 120_000;

interface Storm {
  readonly seconds: number;
  readonly rejectedWithRetry: number;
  readonly failures: number;
  readonly lastFailure: string | undefined;
  readonly cpu: Readonly<Record<string, number>>;
}

/** All sockets are cut, and all chargers come back in the same moment: until the last one is admitted. */
export async function measureReconnect(context: BenchContext, goal: ReconnectGoal): Promise<Measurement> {
  const plain = await storm(context, goal, 'plain');
  const tls = await storm(context, goal, 'secure');
  const longest = Math.max(plain.seconds, tls.seconds);
  const shown = `${figure(plain.seconds)} s plain, ${figure(tls.seconds)} s TLS`;
  return {
    headline: shown,
    beside: [megabytes(residentOf(context.world.running()))],
    shown,
    isMet: longest <= goal.withinS,
    counts: true,
    merit: -longest,
    remarks: [describe('plain', plain), describe('TLS', tls)],
    details: { plain, tls },
  };
}

async function storm(context: BenchContext, goal: ReconnectGoal, port: 'plain' | 'secure'): Promise<Storm> {
  const running = context.world.running();
  const target = running[port];
  const ids = chargerIds(goal.chargers);
  return withGenerator(context, async (ask) => {
    await connectAll(ask, target, { chargerIds: ids }, CONNECT_MS);
    await untilQuiet(running);
    await ask('cut', null, GRACE_MS);
    const input = { target, chargerIds: ids, concurrency: ids.length, withinMs: CONNECT_MS };
    const { value: opened, cpu } = await withCpu(running.pids, () =>
      context.profiled(() => ask('open', input, CONNECT_MS + GRACE_MS)),
    );
    if (opened.open < ids.length) throw new Error(`only ${figure(opened.open)} chargers came back`);
    await ask('cut', null, GRACE_MS);
    await untilQuiet(running);
    const { rejectedWithRetry, failures, lastFailure } = opened;
    return { seconds: opened.ms / 1000, rejectedWithRetry, failures, lastFailure, cpu };
  });
}

function describe(name: string, { rejectedWithRetry, failures, lastFailure, cpu }: Storm): string {
  const failed = failures === 0 ? '' : `, ${figure(failures)} failed and tried again (${lastFailure ?? ''})`;
  return `${name}: ${figure(rejectedWithRetry)} were rejected with Retry-After${failed}${processorsOf(cpu)}`;
}
