// The faults of the one-process mode: the process, its disk, and the connections of its chargers.
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import { readMetric } from '../harness/metrics';
import { duplicateSockets } from './duplicate-sockets';
import { canFillDisk, type EmbeddedFaultWorld } from './embedded-world';
import { cuts, endings, pauses, type Fault } from './fault';
import { recreatedChargers } from './recreated-chargers';

export type EmbeddedFault = Fault<EmbeddedFaultWorld>;

/** Longer than a call is held: chargers are answered InternalError meanwhile. */
const FULL_MS = 12_000;

/** The disk takes nothing more for a while: what cannot be stored is not acknowledged, and afterwards all continues. */
const FULL_DISK: EmbeddedFault = { name: 'a full disk', slow: true, run: fullDisk };

const ALL: readonly EmbeddedFault[] = [
  ...endings<EmbeddedFaultWorld>('the process', (world) => world.process),
  ...pauses<EmbeddedFaultWorld>('the process', (world) => world.process),
  ...cuts<EmbeddedFaultWorld>('chargers and the process', ({ chargers }) => chargers),
  FULL_DISK,
  { name: 'another process that wants its data directory', run: twoOnOneDirectory },
];

/** Those that can be made here: keeping files from growing needs a program. */
export function possibleEmbeddedFaults(): readonly EmbeddedFault[] {
  return canFillDisk() ? ALL : ALL.filter((fault) => fault !== FULL_DISK);
}

/** Killed under load, again and again, before it has announced anything. */
export function sigkills(times: number): Fault<Pick<EmbeddedFaultWorld, 'process'>> {
  return {
    name: `${String(times)} SIGKILLs`,
    async run({ process }, random) {
      for (let kill = 0; kill < times; kill += 1) {
        await process.end('SIGKILL');
        await process.start();
        // Somewhere in the middle of what comes back to it.
        await last(random.below(1_500));
      }
    },
  };
}

/** The faults of particular chargers, beside a fleet that continues. */
export const AMONG_OTHERS: readonly EmbeddedFault[] = [
  sigkills(3),
  { name: 'forty pairs of sockets of one charger each', run: (world, random) => duplicateSockets(world, random, 40) },
  { name: 'chargers deleted and made again', run: (world, random) => recreatedChargers(world, random, 2) },
];

async function fullDisk(world: EmbeddedFaultWorld): Promise<void> {
  const up = async (): Promise<number> => readMetric(await world.metrics(), 'busbar_store_up');
  world.fillDisk();
  try {
    await eventually(async () => (await up()) === 0);
    await last(FULL_MS);
    expect(await up()).toBe(0);
  } finally {
    world.emptyDisk();
  }
  await eventually(async () => (await up()) === 1);
}

/** The second one refuses with a sentence; the first never notices. */
async function twoOnOneDirectory({ startSecond, directory }: EmbeddedFaultWorld): Promise<void> {
  const second = startSecond();
  expect(await second.exited()).toBe(1);
  expect(second.output()).toContain(directory);
  expect(second.output()).not.toContain('    at ');
}
