import type { ReadableGoal } from '../rows';
import type { BenchContext } from './bench-context';
import { figure, type Measurement } from './measurement';
import { measureProbe } from './probe';

/** From a StatusNotification's frame until GET shows it, beside 1,000 chargers that send one a second each. */
export function measureReadable(context: BenchContext, goal: ReadableGoal): Promise<Measurement> {
  const { world } = context;
  const reader = { target: world.running().v2, path: '/v2/chargers/', headers: { 'x-api-key': world.apiKey } };
  return measureProbe(context, {
    run: (ask, probe, within) => ask('readable', { ...reader, ...probe }, within),
    shown: ({ p99Ms }) => `p99 ${figure(p99Ms)} ms`,
    isFast: ({ p99Ms }) => p99Ms < goal.p99Ms,
    failure: 'were not readable within 10 s',
  });
}
