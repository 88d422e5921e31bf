// What can be broken where all is one process: the process.
import { eventually } from '@busbar/testing';
import type { EmbeddedFaultWorld } from './embedded-world';
import { runEpisode } from './episode';
import type { Random } from './random';

/** Killed under load, again and again, before it has told anybody anything. */
export function killedUnderLoad(world: EmbeddedFaultWorld, random: Random, times: number): Promise<void> {
  return runEpisode(world, {
    random,
    paceMs: 20,
    async fault() {
      for (let kill = 0; kill < times; kill += 1) {
        await world.restart('SIGKILL');
        // Somewhere in the middle of what comes back to it.
        await new Promise((resolve) => setTimeout(resolve, random.below(1_500)));
      }
    },
  });
}

export function stoppedInOrder(world: EmbeddedFaultWorld, random: Random): Promise<void> {
  return runEpisode(world, {
    random,
    paceMs: 20,
    async fault() {
      expect(await world.restart('SIGTERM')).toBe(0);
    },
  });
}

/** Longer than a call is held: chargers are answered InternalError meanwhile. */
const FULL_MS = 12_000;

/** The disk takes nothing more for a while: what cannot be stored is not acknowledged, and afterwards all goes on. */
export function fullDisk(world: EmbeddedFaultWorld, random: Random): Promise<void> {
  return runEpisode(world, {
    random,
    async fault() {
      world.fillDisk();
      await eventually(async () => (await world.metric('busbar_store_up')) === 0);
      await new Promise((resolve) => setTimeout(resolve, FULL_MS));
      expect(await world.metric('busbar_store_up')).toBe(0);
      world.emptyDisk();
      await eventually(async () => (await world.metric('busbar_store_up')) === 1);
    },
  });
}

/** The second one refuses with a sentence; the first never notices. */
export function twoOnOneDirectory(world: EmbeddedFaultWorld, random: Random): Promise<void> {
  return runEpisode(world, {
    random,
    async fault() {
      const second = world.startSecond();
      expect(await second.exited()).toBe(1);
      expect(second.output()).toContain(world.directory);
      expect(second.output()).not.toContain('    at ');
    },
  });
}
