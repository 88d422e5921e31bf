// The whole run: column by column, row by row, round by round.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBaselines } from './baselines/baselines';
import type { BenchContext } from './measures/bench-context';
import { delivers, measureFeed, measureStream } from './measures/events';
import { measureGetCharger } from './measures/get-charger';
import { measureIdle } from './measures/idle';
import { measureKilled } from './measures/killed';
import { bestOf, medianOf, type Measurement } from './measures/measurement';
import { measureAlone, measureRate } from './measures/rate';
import { measureReadable } from './measures/readable';
import { measureReconnect } from './measures/reconnect';
import { measureDeliveries, measureSlowReceiver } from './measures/webhooks';
import type { Options } from './options';
import type { Resources } from './processes/resources';
import { profileDuring } from './profiles';
import { describeMachine } from './report/machine';
import type { BenchResults, CellResult } from './report/results';
import { chargersOf, goalInVersion, ROWS, type Goal, type Row } from './rows';
import { openWorld } from './worlds/open-world';
import { register } from './worlds/registration';
import { missingFor, serversOf } from './worlds/servers';
import type { Column, World } from './worlds/world';

export interface BenchDeps {
  readonly resources: Resources;
  /** For this run's profiles and children's output. */
  readonly directory: string;
  readonly print: (line: string) => void;
  readonly isStopping: () => boolean;
}

const WARM_UP_MS = 2_000;
/** A queue may come back without a leader when its server is asked for it right after the start. */
const PAUSE_MS = 1_000;

interface Work {
  readonly row: Row;
  readonly goal: Goal;
}

export async function runBench(options: Options, deps: BenchDeps): Promise<BenchResults> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const columns: Record<number, readonly string[]> = {};
  const cells: CellResult[] = [];
  for (const column of options.columns) {
    const missing = missingFor(column);
    columns[column] = missing === undefined ? serversOf(column) : [`left out: ${missing}`];
    if (missing !== undefined) continue;
    for (const work of worksOf(column, options)) {
      if (deps.isStopping()) break;
      cells.push(await measureAfresh(column, work, options, deps));
    }
  }
  const { rounds, seconds, replicas, version2 } = options;
  return { startedAt, machine, options: { rounds, seconds, replicas, version2 }, columns, cells };
}

function worksOf(column: Column, options: Options): Work[] {
  return ROWS.filter(({ key }) => options.only.includes(key)).flatMap((row) => {
    const goal = row.goals[column];
    return goal === undefined ? [] : [{ row, goal: goalInVersion(goal, options.version2) }];
  });
}

/** In a world of its own, so that no cell affects the next. */
async function measureAfresh(column: Column, work: Work, options: Options, deps: BenchDeps): Promise<CellResult> {
  const chargers = chargersOf(work.goal);
  deps.print(`${work.row.key}, column ${String(column)}: starting, with ${String(chargers)} chargers …`);
  let world: World | undefined;
  try {
    world = await openWorld(column, deps.resources, { replicas: options.replicas, delivers: delivers(work.goal) });
    await sleep(PAUSE_MS);
    await register(world, chargers);
    return await measureCell(world, work, options, deps);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    if (!deps.isStopping()) deps.print(`${work.row.key}, column ${String(column)} failed: ${failure}`);
    return { row: work.row.key, column, rounds: [], best: undefined, median: undefined, failures: [failure] };
  } finally {
    await world?.stop();
  }
}

async function measureCell(world: World, work: Work, options: Options, deps: BenchDeps): Promise<CellResult> {
  const { row, goal } = work;
  const { column } = world;
  const name = `${row.key}, column ${String(column)}`;
  const context = contextOf(world, options, deps);
  const rounds: Measurement[] = [];
  const failures: string[] = [];
  for (let round = 1; round <= options.rounds && !deps.isStopping(); round += 1) {
    try {
      const measured = await measure(context, goal);
      rounds.push(measured);
      deps.print(`${name}, round ${String(round)}: ${measured.headline}; ${measured.shown}`);
      for (const remark of measured.remarks) deps.print(`  ${remark}`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
      if (!deps.isStopping()) deps.print(`${name}, round ${String(round)} failed: ${failures.at(-1) ?? ''}`);
    }
  }
  // Memory has no profile.
  if (options.profile && goal.kind !== 'idle' && !deps.isStopping()) await profileCell(world, work, options, deps);
  return { row: row.key, column, rounds, best: bestOf(rounds), median: medianOf(rounds), failures };
}

/** A round that does not count, since the profiler slows the processes. */
async function profileCell(world: World, { row, goal }: Work, options: Options, deps: BenchDeps): Promise<void> {
  const place = { directory: deps.directory, prefix: `${row.key}-${String(world.column)}`, print: deps.print };
  const context: BenchContext = {
    ...contextOf(world, options, deps),
    beside: async (_which, work) => ({ value: await work(), readings: [] }),
    profiled: (work) => profileDuring(world.running(), place, work),
  };
  await measure(context, goal).catch((error: unknown) => {
    deps.print(`no profile of ${row.key}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

function contextOf(world: World, options: Options, { resources, directory }: BenchDeps): BenchContext {
  const timing = { warmUpMs: WARM_UP_MS, measureMs: options.seconds * 1000 };
  const baselines = createBaselines({ resources, directory, ...timing, rabbitUrl: world.rabbitUrl });
  return { world, resources, directory, ...timing, beside: baselines.beside, profiled: (work) => work() };
}

function measure(context: BenchContext, goal: Goal): Promise<Measurement> {
  switch (goal.kind) {
    case 'rate':
      return measureRate(context, goal);
    case 'alone':
      return measureAlone(context, goal);
    case 'readable':
      return measureReadable(context, goal);
    case 'idle':
      return measureIdle(context, goal);
    case 'reconnect':
      return measureReconnect(context, goal);
    case 'killed':
      return measureKilled(context, goal);
    case 'get':
      return measureGetCharger(context, goal);
    case 'feed':
      return measureFeed(context, goal);
    case 'stream':
      return measureStream(context, goal);
    case 'deliveries':
      return measureDeliveries(context, goal);
    case 'slow-receiver':
      return measureSlowReceiver(context, goal);
  }
}
