import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenInput } from '../load/fleet';
import type { LoadCommands } from '../load/load-generator';
import { startChild, type Child } from '../processes/child';
import type { Ask, Commands } from '../processes/commands';
import type { Resources } from '../processes/resources';
import { cpuSecondsOf, residentBytesOf } from '../processes/usage';
import type { Baseline } from '../rows';
import type { Pids, Running, Waiting, World } from '../worlds/world';

/** The dependencies of every measure. */
export interface BenchContext {
  readonly world: World;
  readonly resources: Resources;
  /** Where children's output goes. */
  readonly directory: string;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Gives what `work` came to, and a baseline's answers or messages a second before and after it. */
  readonly beside: <T>(which: Baseline, work: () => Promise<T>) => Promise<{ value: T; readings: readonly number[] }>;
  /** Profiles the product's processes while `work` runs, where profiles are asked for. */
  readonly profiled: <T>(work: () => Promise<T>) => Promise<T>;
}

/** On top of what a step is meant to take. */
export const GRACE_MS = 60_000;
/** Upgrades in flight at the same time where it is not the storm that is measured. */
export const CALM = 100;

const QUIET_WITHIN_MS = 60_000;
const POLL_MS = 200;

type Place = Pick<BenchContext, 'resources' | 'directory'>;

/** A load generator in a process of its own for as long as `work` takes, which is given its id too. */
export function withGenerator<T>(place: Place, work: (ask: Ask<LoadCommands>, pids: Pids) => Promise<T>): Promise<T> {
  return withChild<LoadCommands, T>(place, 'load-generator', (child) => work(child.ask, { [child.name]: [child.pid] }));
}

/** A program of `load/` in a process of its own for as long as `work` takes. */
export async function withChild<C extends Commands<C>, T>(
  { resources, directory }: Place,
  name: string,
  work: (child: Child<C>) => Promise<T>,
): Promise<T> {
  const child = startChild<C>({ name, directory, script: join(__dirname, '../load', `${name}.js`) });
  const held = resources.hold(child, (each) => each.end());
  try {
    return await work(child);
  } finally {
    await held.release();
  }
}

export type Chargers = Pick<OpenInput, 'chargerIds' | 'subprotocol'>;

/** Connects chargers of a world, over plain websockets unless `secure`. Rejects when not all could. */
export async function connectAll(
  ask: Ask<LoadCommands>,
  target: Running['plain'],
  chargers: Chargers,
  withinMs = GRACE_MS,
): Promise<void> {
  const opened = await ask('open', { target, ...chargers, concurrency: CALM, withinMs }, withinMs + GRACE_MS);
  const { length } = chargers.chargerIds;
  if (opened.open === length) return;
  const { open, lastFailure = 'rejected with 503 and Retry-After' } = opened;
  throw new Error(`only ${String(open)} of ${String(length)} chargers could connect: ${lastFailure}`);
}

/** Resolves when nothing is queued and charger-state applies nothing more, at the latest after a minute. */
export async function untilQuiet(running: Running): Promise<Waiting | undefined> {
  const end = Date.now() + QUIET_WITHIN_MS;
  let before = await running.waiting();
  for (;;) {
    await sleep(POLL_MS);
    const now = await running.waiting();
    if (now === undefined || Date.now() > end) return now;
    if (now.queued === 0 && now.applied === before?.applied) return now;
    before = now;
  }
}

/** Resident memory of the product's processes together, in bytes. */
export function residentOf({ programs }: Pick<Running, 'programs'>): number {
  return programs.reduce((sum, { pid }) => sum + (residentBytesOf(pid) ?? 0), 0);
}

/** Returns the processors that the processes of each name used during `work`; empty where that cannot be read. */
export async function withCpu<T>(
  pids: Pids,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpu: Readonly<Record<string, number>> }> {
  const read = () => Object.entries(pids).map(([name, all]) => [name, cpuOfAll(all)] as const);
  const before = new Map(read());
  const startMs = performance.now();
  const value = await work();
  const seconds = (performance.now() - startMs) / 1000;
  const cpu: Record<string, number> = {};
  for (const [name, after] of read()) {
    const from = before.get(name);
    if (after !== undefined && from !== undefined) cpu[name] = Number(((after - from) / seconds).toFixed(2));
  }
  return { value, cpu };
}

function cpuOfAll(pids: readonly number[]): number | undefined {
  const seconds = pids.map(cpuSecondsOf).filter((each) => each !== undefined);
  return seconds.length === pids.length && pids.length > 0 ? seconds.reduce((sum, each) => sum + each, 0) : undefined;
}

/** What `withCpu` read, behind a remark. */
export function processorsOf(cpu: Readonly<Record<string, number>>): string {
  return Object.entries(cpu)
    .map(([name, used]) => `, ${name} ${used.toFixed(2)} CPU`)
    .join('');
}
