import { describeWithServers } from '@busbar/testing';
import { openEmbeddedWorld } from './embedded';
import { openProcessesWorld } from './processes';
import { assertSharedWorld, openSharedWorld } from './shared-world';
import { terminateChargers, type OwnWorld, type World, type WorldKind } from './world';

const START_MS = 120_000;

/**
 * The same tests against the one-process mode and against four processes on real servers. Where servers are missing the
 * second is skipped with the reason, or fails with REQUIRE_REAL_SERVERS=1. Test files that run one after the other share
 * both networks: a test makes what it needs, expects others' records beside its own, and stops no process.
 */
export function inBothWorlds(tests: (world: () => World) => void): void {
  describe('in one process', () => {
    inSharedWorld('one process', tests);
  });
  describeWithServers('in four processes', () => {
    inSharedWorld('four processes', tests);
  });
}

/** The same for tests that stop processes, set variables or need an empty network: each file has both networks for itself. */
export function inBothOwnWorlds(
  tests: (world: () => OwnWorld) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  describe('in one process', () => inOwnWorld(() => openEmbeddedWorld(env), tests));
  describeWithServers('in four processes', () => inOwnWorld(() => openProcessesWorld(env), tests));
}

function inWorld<T extends World>(open: () => Promise<T>, tests: (world: () => T) => void): () => T | undefined {
  let world: T | undefined;
  beforeAll(async () => {
    world = await open();
  }, START_MS);
  tests(() => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  });
  afterAll(terminateChargers);
  return () => world;
}

function inSharedWorld(kind: WorldKind, tests: (world: () => World) => void): void {
  inWorld(() => openSharedWorld(kind), tests);
  // A program that ended after the last assertion fails this file.
  afterAll(() => assertSharedWorld(kind));
}

function inOwnWorld(open: () => Promise<OwnWorld>, tests: (world: () => OwnWorld) => void): void {
  const opened = inWorld(open, tests);
  afterAll(() => opened()?.stop(), START_MS);
}
