import { describeWithServers } from '@busbar/testing';
import { openEmbeddedWorld } from './embedded';
import { openProcessesWorld } from './processes';
import type { World } from './world';

const START_MS = 120_000;

/**
 * The same tests against the one-process mode and against four processes on real servers. Each has a world for the whole
 * file; where servers are missing the second is skipped with the reason, or fails with REQUIRE_REAL_SERVERS=1.
 */
export function inBothWorlds(tests: (world: () => World) => void, env: Readonly<Record<string, string>> = {}): void {
  describeWorld('in one process', () => openEmbeddedWorld(env), tests);
  describeWithServers('in four processes', () => aWorld(() => openProcessesWorld(env), tests));
}

export function describeWorld(title: string, open: () => Promise<World>, tests: (world: () => World) => void): void {
  describe(title, () => aWorld(open, tests));
}

function aWorld(open: () => Promise<World>, tests: (world: () => World) => void): void {
  let world: World | undefined;
  beforeAll(async () => {
    world = await open();
  }, START_MS);
  afterAll(async () => {
    await world?.stop();
  }, START_MS);
  tests(() => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  });
}
