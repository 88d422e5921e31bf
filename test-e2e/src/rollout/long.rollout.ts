// What operators plan, under load, on plain processes with the environment that the chart renders. Run by
// `npm run test:faults -- --rollout [--minutes N] [--seed N] [--from COMMIT]`.
import { describeWithServers, eventually } from '@busbar/testing';
import { createRandom, seedOfRun } from '../faults/random';
import { readMetric } from '../harness/metrics';
import type { Deployment } from './deployment';
import { DISRUPTIONS, keepsPromises } from './planned';
import { openRelease, type Release } from './release';

const START_MS = 120_000;
const TEST_MS = 600_000;
/** ROLLOUT_CHARGERS has another number: what a machine carries beside RabbitMQ and the store. */
const CHARGERS = Number(process.env['ROLLOUT_CHARGERS'] ?? '200');
/** Of random ones, after each was there once. */
const MINUTES = Number(process.env['FAULTS_MINUTES'] ?? '0');
const SETTLED_MS = 120_000;

const seed = seedOfRun();
const random = createRandom(seed);
process.stdout.write(`rollouts with --seed ${String(seed)}\n`);

describeWithServers(`a release under the load of ${String(CHARGERS)} chargers`, () => {
  let release: Release | undefined;
  const open = (): Release => {
    if (release === undefined) throw new Error('the release is there only inside tests and their hooks');
    return release;
  };
  const terms = { random, chargers: CHARGERS };
  const [older, newer] = [folderOf('ROLLOUT_OLDER'), folderOf('ROLLOUT_NEWER')];
  beforeAll(async () => {
    release = await openRelease(random, older);
  }, START_MS);
  afterAll(() => release?.stop(), START_MS);

  it.each(DISRUPTIONS)(
    'loses nothing, fails no request and closes sockets evenly with 1001 in $name',
    ({ run }) => keepsPromises(open(), run, terms),
    TEST_MS,
  );

  it(
    'loses nothing where a load balancer leads to gateways that stop',
    async () => {
      const { gateway } = open().deployments;
      await keepsPromises(open(), () => gateway.rollOut(), { ...terms, through: 'processes' });
    },
    TEST_MS,
  );

  it(
    'closes sockets with 1012 where DRAIN_CODE says so',
    async () => {
      const { gateway } = open().deployments;
      const { env } = gateway.template();
      await gateway.rollOut({ env: { ...env, DRAIN_CODE: '1012' } });
      await keepsPromises(open(), () => gateway.rollOut({ env }), { ...terms, code: 1012 });
    },
    TEST_MS,
  );

  const neighbours = older === undefined || newer === undefined ? it.skip : it;
  neighbours(
    'loses nothing while a newer version is rolled out, back, and out again, service by service',
    async () => {
      for (const folder of [newer, older, newer]) {
        for (const deployment of shuffled(Object.values(open().deployments))) {
          await keepsPromises(open(), () => deployment.rollOut({ folder }), terms);
        }
      }
      await eventually(async () => (await settled(open())).every((value) => value === 1), SETTLED_MS);
    },
    6 * TEST_MS,
  );

  if (MINUTES > 0) {
    it(
      `keeps all promises in random disruptions for ${String(MINUTES)} minutes`,
      async () => {
        const until = Date.now() + MINUTES * 60_000;
        while (Date.now() < until) {
          const { name, run } = random.pick(DISRUPTIONS);
          process.stdout.write(`· ${name}\n`);
          await keepsPromises(open(), run, terms);
        }
      },
      MINUTES * 60_000 + TEST_MS,
    );
  }
});

function folderOf(variable: string): string | undefined {
  return process.env[variable];
}

function shuffled(deployments: readonly Deployment[]): readonly Deployment[] {
  return deployments
    .map((deployment) => ({ deployment, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ deployment }) => deployment);
}

async function settled({ deployments }: Release): Promise<number[]> {
  const replicas = deployments['charger-state'].pods();
  return Promise.all(replicas.map(async (pod) => readMetric(await pod.metrics(), 'busbar_store_settled')));
}
