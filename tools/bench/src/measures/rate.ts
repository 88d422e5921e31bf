import { setTimeout as sleep } from 'node:timers/promises';
import { STATUSES, type LoadOfVersion, type RateResult } from '../load/rate-load';
import type { AloneGoal, RateGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import type { Running, Waiting } from '../worlds/world';
import {
  connectAll,
  GRACE_MS,
  residentOf,
  untilQuiet,
  withCpu,
  withGenerator,
  type BenchContext,
  type Chargers,
} from './bench-context';
import { figure, meanOf, megabytes, ratioOf, type Measurement } from './measurement';

/** The backlog at the end of the load must be gone within this time, or the consumers did not keep up. */
const GONE_AFTER_MS = 2_000;

interface Load {
  readonly result: RateResult;
  readonly cpu: Readonly<Record<string, number>>;
  readonly atStop: Backlog | undefined;
  readonly later: Backlog | undefined;
  /** The resident memory of the product's processes together, right after the load. */
  readonly residentBytes: number;
}

/** The messages that were answered and are not in the store yet. */
interface Backlog {
  /** Broker messages in the queues. */
  readonly queued: number;
  /** Messages of chargers that were answered and not applied. */
  readonly unapplied: number;
}

/** Answers a second against a baseline that was measured a moment before and after. */
export async function measureRate(context: BenchContext, goal: RateGoal): Promise<Measurement> {
  const { value: load, readings } = await context.beside(goal.of, () => runLoad(context, goal.load, goal.chargers));
  const { result } = load;
  const baseline = meanOf(readings);
  const ratio = ratioOf(result.perSecond, baseline);
  const isFast = ratio >= goal.ratio && (goal.p99Ms === undefined || result.p99Ms < goal.p99Ms);
  const remarks = complaintsAbout(load);
  return {
    headline: `${figure(result.perSecond)}/s`,
    beside: [...latencies(result), megabytes(load.residentBytes)],
    baseline: { name: goal.of, perSecond: readings },
    shown: `${ratio.toFixed(2)} of ${goal.of}, p99 ${figure(result.p99Ms)} ms`,
    isMet: isFast && remarks.length === 0,
    counts: remarks.length === 0,
    merit: ratio,
    remarks: [rateReported(load, goal.of, baseline), ...remarks],
    details: { ratio, baseline, ...load },
  };
}

/** The time between a lone charger's CALL and its answer. */
export async function measureAlone(context: BenchContext, goal: AloneGoal): Promise<Measurement> {
  const load = await runLoad(context, STATUSES, 1);
  const { p50Ms, p99Ms } = load.result;
  const remarks = complaintsAbout(load);
  const shown = latencies(load.result).join(', ');
  return {
    headline: shown,
    beside: [],
    shown,
    isMet: p50Ms <= goal.p50Ms && p99Ms <= goal.p99Ms && remarks.length === 0,
    counts: remarks.length === 0,
    merit: -p50Ms,
    remarks: [rateReported(load), ...remarks],
    details: { ...load },
  };
}

function latencies({ p50Ms, p99Ms }: RateResult): string[] {
  return [`p50 ${figure(p50Ms)} ms`, `p99 ${figure(p99Ms)} ms`];
}

async function runLoad(context: BenchContext, load: LoadOfVersion, chargers: number): Promise<Load> {
  const running = context.world.running();
  const { warmUpMs, measureMs } = context;
  return withGenerator(context, async (ask, generator) => {
    await connectToAll(ask, running.plains, { chargerIds: chargerIds(chargers), subprotocol: load.version });
    const before = await untilQuiet(running);
    const { value: result, cpu } = await withCpu({ ...running.pids, ...generator }, () =>
      context.profiled(() => ask('rate', { load, warmUpMs, measureMs }, warmUpMs + measureMs + GRACE_MS)),
    );
    const residentBytes = residentOf(running);
    const atStop = backlogOf(result, before, await running.waiting());
    if (atStop !== undefined) await sleep(GONE_AFTER_MS);
    const later = backlogOf(result, before, await running.waiting());
    await ask('cut', null, GRACE_MS);
    await untilQuiet(running);
    return { result, cpu, atStop, later, residentBytes };
  });
}

/** Each gateway gets the same number of chargers. */
async function connectToAll(ask: Parameters<typeof connectAll>[0], plains: Running['plains'], those: Chargers) {
  const { chargerIds, subprotocol } = those;
  for (const [n, plain] of plains.entries()) {
    await connectAll(ask, plain, { chargerIds: chargerIds.filter((_, i) => i % plains.length === n), subprotocol });
  }
}

function backlogOf(result: RateResult, before?: Waiting, now?: Waiting): Backlog | undefined {
  if (before === undefined || now === undefined) return undefined;
  return { queued: now.queued, unapplied: Math.max(0, result.answered - (now.applied - before.applied)) };
}

function complaintsAbout({ result, later }: Load): string[] {
  const complaints: string[] = [];
  if (result.failed > 0) complaints.push(`does not count: ${figure(result.failed)} CALLs were refused or not answered`);
  if (later !== undefined && (later.queued > 0 || later.unapplied > 0)) {
    complaints.push(`does not count: ${describeBacklog(later)} still wait 2 s after the load`);
  }
  return complaints;
}

function rateReported({ result, cpu, atStop }: Load, of?: string, baseline?: number): string {
  const parts = [
    `${figure(result.perSecond)} answers/s`,
    ...(of === undefined || baseline === undefined ? [] : [`${of} ${figure(baseline)}/s`]),
    `p50 ${figure(result.p50Ms)} ms`,
    `p99 ${figure(result.p99Ms)} ms`,
    atStop === undefined ? 'nothing can wait' : `at the end of the load ${describeBacklog(atStop)} waited`,
    ...Object.entries(cpu).map(([name, processors]) => {
      // Hardly changes with what else the machine does, unlike everything above.
      const microseconds = ratioOf(processors * 1e6, result.perSecond);
      return `${name} ${processors.toFixed(2)} CPU (${figure(microseconds)} µs an answer)`;
    }),
  ];
  return parts.join(', ');
}

function describeBacklog({ queued, unapplied }: Backlog): string {
  return `${figure(unapplied)} chargers' messages (${figure(queued)} queued broker messages)`;
}
