// The fault tests in their short form: some faults, chosen by a seed that is printed, within a fixed time. All of them, for
// as long as wanted: npm run test:faults.
import { describeWithRabbit, describeWithServers, eventually } from '@busbar/testing';
import { ONE_AFTER_THE_OTHER } from './faults/brokered-faults';
import { openBrokeredFaultWorld, type BrokeredFaultWorld } from './faults/brokered-world';
import { sigkills } from './faults/embedded-faults';
import { openEmbeddedFaultWorld, type EmbeddedFaultWorld } from './faults/embedded-world';
import { stallAndPause } from './faults/fault';
import { canKillRabbit, possibleFaults } from './faults/faults';
import type { Network } from './faults/network';
import { openFaultWorld, type FaultWorld } from './faults/network-episodes';
import { createRandom, seedOfRun } from './faults/random';
import { recreatedChargers } from './faults/recreated-chargers';
import { http } from './harness/http';
import { readMetric } from './harness/metrics';

const BUDGET_MS = 60_000;
const START_MS = 120_000;

describeWithServers('two gateways, charger-states and push processes, and both APIs, under load', () => {
  let world: FaultWorld | undefined;
  beforeAll(async () => {
    world = await openFaultWorld({ gateways: 2, replicas: 2, pushes: 2 });
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it(
    'stores answered messages once, in order, and shows the true connections, for every fault',
    async () => {
      const seed = seedOfRun();
      process.stdout.write(`faults with FAULTS_SEED=${String(seed)}\n`);
      const random = createRandom(seed);
      const quick = possibleFaults().filter(({ slow }) => slow !== true);
      const until = Date.now() + BUDGET_MS;
      while (Date.now() < until) {
        const fault = random.pick(quick);
        process.stdout.write(`· ${fault.name}\n`);
        await world?.fault(fault, random);
      }
    },
    6 * BUDGET_MS,
  );

  const onlyWhereStopped = canKillRabbit() ? it : it.skip;
  onlyWhereStopped(
    'show no charger with an open socket as disconnected, and no gateway as dead, while RabbitMQ is suspended',
    async () => {
      const seed = seedOfRun();
      process.stdout.write(`stalls with FAULTS_SEED=${String(seed)}\n`);
      const fault = stallAndPause<Network>('RabbitMQ', ({ rabbit }) => rabbit);
      await world?.fault(fault, createRandom(seed));
    },
    240_000,
  );

  it('keeps messages of a deleted charger out of the record of its successor', async () => {
    if (world !== undefined) await recreatedChargers(world, createRandom(seedOfRun()), 2);
  }, 120_000);
});

describe('the one-process mode under load', () => {
  let world: EmbeddedFaultWorld | undefined;
  beforeAll(async () => {
    world = await openEmbeddedFaultWorld();
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it('loses nothing after three SIGKILLs', async () => {
    const seed = seedOfRun();
    process.stdout.write(`faults of one process with FAULTS_SEED=${String(seed)}\n`);
    await world?.fault(sigkills(3), createRandom(seed));
  }, 120_000);
});

describeWithRabbit('the one process on a RabbitMQ, under load', (rabbit) => {
  let world: BrokeredFaultWorld | undefined;
  beforeAll(async () => {
    world = await openBrokeredFaultWorld(rabbit());
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it('loses nothing after a sequence of faults', async () => {
    const seed = seedOfRun();
    const fault = canKillRabbit() ? ONE_AFTER_THE_OTHER : sigkills(3);
    process.stdout.write(`${fault.name} with FAULTS_SEED=${String(seed)}\n`);
    await world?.fault(fault, createRandom(seed));
  }, 180_000);

  (canKillRabbit() ? it : it.skip)(
    'stays ready without RabbitMQ, so that no load balancer ends its sockets',
    async () => {
      if (world === undefined) return;
      const { process: one } = world;
      const up = async (): Promise<number> => readMetric(await one.metrics(), 'busbar_broker_up');
      await rabbit().kill();
      await eventually(async () => (await up()) === 0);
      const { host, port } = await one.program().bound('internal');
      expect((await http(`http://${host}:${String(port)}/readyz`)).status).toBe(200);
      await rabbit().restart();
      await eventually(async () => (await up()) === 1, 60_000);
    },
    180_000,
  );
});
