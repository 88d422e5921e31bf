// The fault tests in their long form: every fault once, what is particular, then random ones for FAULTS_MINUTES. Run by
// `npm run test:faults -- [--minutes N] [--seed N]`.
import { describeWithRabbit, findDocumentServer, findRabbitServer } from '@busbar/testing';
import { possibleBrokeredFaults } from './brokered-faults';
import { openBrokeredFaultWorld, type BrokeredFaultWorld } from './brokered-world';
import { duplicateSockets } from './duplicate-sockets';
import { AMONG_OTHERS, possibleEmbeddedFaults, sigkills } from './embedded-faults';
import { canFillDisk, openEmbeddedFaultWorld, type EmbeddedFaultWorld } from './embedded-world';
import type { Fault } from './fault';
import { possibleFaults } from './faults';
import { openFaultWorld, type FaultWorld } from './network-episodes';
import { killedConsumers } from './killed-consumers';
import type { Network } from './network';
import { createRandom, seedOfRun, type Random } from './random';
import { recreatedChargers } from './recreated-chargers';
import { replicasComeAndGo } from './replicas';

const START_MS = 120_000;
const EPISODE_MS = 300_000;
const MINUTES = Number(process.env['FAULTS_MINUTES'] ?? '10');
/** Beside those, in each of its two ways: the one process has fewer faults to mix. */
const EMBEDDED_MINUTES = Math.ceil(MINUTES / 3);

/**
 * Faults on one network. The stand-in for a document server has no index for some questions of each minute: after half an hour of messages it
 * answers too late, which would be a fault of its own.
 */
const GROUP = 8;
/** Of a failure during the run; all of it is in the report at the end. */
const SHOWN_CHARS = 2_000;

const missing = [findRabbitServer(), findDocumentServer()].find((found) => found.source === 'none');
if (missing !== undefined) throw new Error(missing.reported);

const faults = possibleFaults();
const seed = seedOfRun();
const random = createRandom(seed);
process.stdout.write(`faults with --seed ${String(seed)}\n`);

describe.each(inGroups(faults))(
  'two gateways, charger-states and push processes, and both APIs, under load, $first to $last',
  ({ group }) => {
    const open = useNetwork();
    it.each(group)(
      'stores answered messages once, in order, and shows the true connections, after $name',
      reported((fault) => open().fault(fault, random)),
      EPISODE_MS,
    );
  },
);

describe('two gateways, charger-states and push processes, and both APIs, under load', () => {
  const open = useNetwork();

  it(
    'leaves the newer of each of a thousand pairs of connections of one charger, shown as open',
    () => duplicateSockets(open(), random, 1_000),
    EPISODE_MS,
  );

  it(
    'keeps messages of a deleted charger out of the record of its successor',
    () => recreatedChargers(open(), random, 10),
    EPISODE_MS,
  );

  it(
    'shares the partitions with a replica that joins, and takes them over when it leaves or dies',
    () => replicasComeAndGo(open(), random),
    EPISODE_MS,
  );

  it(
    `survives random faults for ${String(MINUTES)} minutes`,
    () => randomFaults(open(), faults, MINUTES),
    MINUTES * 60_000 + EPISODE_MS,
  );
});

describe('one partition with more waiting than a consumer takes at once', () => {
  let world: FaultWorld | undefined;
  beforeAll(async () => {
    world = await openFaultWorld({ gateways: 1, replicas: 1, env: { PARTITIONS: '1' } });
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it(
    'dead-letters nothing when its consumer is killed thirty times with a full prefetch',
    async () => {
      if (world !== undefined) await killedConsumers(world, random, 30);
    },
    2 * EPISODE_MS,
  );
});

describe('the one-process mode under load', () => {
  let world: EmbeddedFaultWorld | undefined;
  const possible = possibleEmbeddedFaults();
  const open = (): EmbeddedFaultWorld => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  };
  beforeAll(async () => {
    world = await openEmbeddedFaultWorld();
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it.each([sigkills(20), ...possible])(
    'stores answered messages once, in order, and shows the true connections, after $name',
    reported((fault) => open().fault(fault, random)),
    EPISODE_MS,
  );
  if (!canFillDisk()) it.skip('is skipped with a full disk: it needs prlimit', () => undefined);

  it(
    'leaves the newer of each of a thousand pairs of connections of one charger, shown as open',
    () => duplicateSockets(open(), random, 1_000),
    EPISODE_MS,
  );

  it(
    'keeps messages of a deleted charger out of the record of its successor',
    () => recreatedChargers(open(), random, 10),
    EPISODE_MS,
  );

  it(
    `survives random faults for ${String(EMBEDDED_MINUTES)} minutes`,
    () => randomFaults(open(), [...AMONG_OTHERS, ...possible], EMBEDDED_MINUTES),
    EMBEDDED_MINUTES * 60_000 + EPISODE_MS,
  );
});

describeWithRabbit('the one process on a RabbitMQ, under load', (rabbit) => {
  let world: BrokeredFaultWorld | undefined;
  const possible = possibleBrokeredFaults();
  const open = (): BrokeredFaultWorld => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  };
  beforeAll(async () => {
    world = await openBrokeredFaultWorld(rabbit());
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it.each(possible)(
    'stores answered messages once, in order, and shows the true connections, after $name',
    reported((fault) => open().fault(fault, random)),
    EPISODE_MS,
  );

  it(
    `survives random faults for ${String(EMBEDDED_MINUTES)} minutes`,
    () => randomFaults(open(), possible, EMBEDDED_MINUTES),
    EMBEDDED_MINUTES * 60_000 + EPISODE_MS,
  );
});

/** A network of its own for the tests of a `describe`. */
function useNetwork(): () => FaultWorld {
  let world: FaultWorld | undefined;
  beforeAll(async () => {
    world = await openFaultWorld({ gateways: 2, replicas: 2, pushes: 2 });
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);
  return () => {
    if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
    return world;
  };
}

function inGroups(all: readonly Fault<Network>[]) {
  return Array.from({ length: Math.ceil(all.length / GROUP) }, (_, n) => {
    const [from, to] = [n * GROUP, Math.min((n + 1) * GROUP, all.length)];
    return { group: all.slice(from, to), first: from + 1, last: to };
  });
}

/** The run takes an hour: it shows how far it is. */
function reported<World>(test: (fault: Fault<World>) => Promise<void>): (fault: Fault<World>) => Promise<void> {
  return async (fault) => {
    const startedAt = Date.now();
    const report = (outcome: string) =>
      process.stdout.write(`${outcome} in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s: ${fault.name}\n`);
    try {
      await test(fault);
      report('passed');
    } catch (error) {
      report('failed');
      process.stdout.write(`${String(error).slice(0, SHOWN_CHARS)}\n`);
      throw error;
    }
  };
}

interface Faulty<World> {
  fault(fault: Fault<World>, random: Random): Promise<void>;
}

async function randomFaults<World>(
  world: Faulty<World>,
  choices: readonly Fault<World>[],
  minutes: number,
): Promise<void> {
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    const fault = random.pick(choices);
    process.stdout.write(`· ${fault.name}\n`);
    await world.fault(fault, random);
  }
}
