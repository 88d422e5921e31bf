import { COMPANY, type ReadableGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import { connectAll, GRACE_MS, untilQuiet, withCpu, withGenerator, type BenchContext } from './bench-context';
import { figure, type Measurement } from './measurement';

/** From a StatusNotification's frame until GET shows it, beside 1,000 chargers that send one a second each. */
export async function measureReadable(context: BenchContext, goal: ReadableGoal): Promise<Measurement> {
  const { world, measureMs } = context;
  const running = world.running();
  return withGenerator(context, async (ask) => {
    await connectAll(ask, running.plain, chargerIds(COMPANY + 1));
    await untilQuiet(running);
    const input = {
      target: running.v2,
      path: '/v2/chargers/',
      headers: { 'x-api-key': world.apiKey },
      measureMs,
      besidePerSecond: COMPANY,
    };
    const { value: result, cpu } = await withCpu(running.pids, () =>
      context.profiled(() => ask('readable', input, measureMs + GRACE_MS)),
    );
    await ask('cut', null, GRACE_MS);
    await untilQuiet(running);
    const counts = result.failed === 0 && result.frames > 0;
    const processors = Object.entries(cpu).map(([name, used]) => `, ${name} ${used.toFixed(2)} CPU`);
    return {
      headline: `p50 ${figure(result.p50Ms)} ms, p99 ${figure(result.p99Ms)} ms`,
      beside: [],
      shown: `p99 ${figure(result.p99Ms)} ms`,
      isMet: counts && result.p99Ms < goal.p99Ms,
      counts,
      merit: -result.p99Ms,
      remarks: [
        `${figure(result.frames)} frames, p50 ${figure(result.p50Ms)} ms, p99 ${figure(result.p99Ms)} ms${processors.join('')}`,
        ...(result.failed > 0 ? [`does not count: ${figure(result.failed)} were not readable within 10 s`] : []),
        ...(result.besideSkipped > 0 ? [`${figure(result.besideSkipped)} of the others' were not due in time`] : []),
      ],
      details: { ...result, cpu },
    };
  });
}
