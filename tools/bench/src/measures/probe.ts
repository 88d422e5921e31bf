// How long a charger's report takes to a reader, beside 1,000 chargers that send one a second each.
import type { LoadCommands } from '../load/load-generator';
import type { ProbeInput, ProbeResult } from '../load/probe-load';
import type { Ask } from '../processes/commands';
import { COMPANY } from '../rows';
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

export interface Probe {
  readonly run: (ask: Ask<LoadCommands>, probe: ProbeInput, withinMs: number) => Promise<ProbeResult>;
  /** What the goal is compared with. */
  readonly shown: (result: ProbeResult) => string;
  readonly isFast: (result: ProbeResult) => boolean;
  /** What happened to frames that failed. */
  readonly failure: string;
}

export async function measureProbe(context: BenchContext, probe: Probe): Promise<Measurement> {
  const { world, measureMs } = context;
  const running = world.running();
  return withGenerator(context, async (ask) => {
    await connectAll(ask, running.plain, { chargerIds: chargerIds(COMPANY + 1) });
    await untilQuiet(running);
    const input = { measureMs, besidePerSecond: COMPANY };
    const { value: result, cpu } = await withCpu(running.pids, () =>
      context.profiled(() => probe.run(ask, input, measureMs + GRACE_MS)),
    );
    await ask('cut', null, GRACE_MS);
    await untilQuiet(running);
    const counts = result.failed === 0 && result.frames > 0;
    return {
      headline: latencies(result),
      beside: [],
      shown: probe.shown(result),
      isMet: counts && probe.isFast(result),
      counts,
      merit: -result.p99Ms,
      remarks: [
        `${figure(result.frames)} frames, ${latencies(result)}${processorsOf(cpu)}`,
        ...(result.failed > 0 ? [`does not count: ${figure(result.failed)} ${probe.failure}`] : []),
        ...(result.besideSkipped > 0 ? [`${figure(result.besideSkipped)} of the others' were not due in time`] : []),
      ],
      details: { ...result, cpu },
    };
  });
}

export function latencies({ p50Ms, p99Ms }: Pick<ProbeResult, 'p50Ms' | 'p99Ms'>): string {
  return `p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`;
}
