// Tests planned changes under load, on plain processes with the environment that the chart renders. Run by
// `npm run test:faults -- --rollout [--minutes N] [--seed N] [--from COMMIT]`.
import { describeWithServers, eventually } from '@busbar/testing';
import { createRandom, seedOfRun } from '../faults/random';
import { readMetric } from '../harness/metrics';
import type { Deployment } from './deployment';
import { DISRUPTIONS, keepsPromises, replacesAll } from './planned';
import { openRelease, type Release } from './release';

const START_MS = 120_000;
const TEST_MS = 600_000;
/** ROLLOUT_CHARGERS has another number: what a machine carries beside RabbitMQ and the store. */
const CHARGERS = Number(process.env['ROLLOUT_CHARGERS'] ?? '100');
/** The time of random changes, after each was made once. */
const MINUTES = Number(process.env['FAULTS_MINUTES'] ?? '0');
const SETTLED_MS = 120_000;

const seed = seedOfRun();
const random = createRandom(seed);
const terms = { random, chargers: CHARGERS };
const [older, newer] = [folderOf('ROLLOUT_OLDER'), folderOf('ROLLOUT_NEWER')];
process.stdout.write(`rollouts with --seed ${String(seed)}\n`);

/** Servers of its own: the stand-in for MongoDB gets slow with much data, and the tests would measure that. */
function withRelease(title: string, tests: (release: () => Release) => void): void {
  describeWithServers(title, () => {
    let release: Release | undefined;
    beforeAll(async () => {
      release = await openRelease(random, older);
    }, START_MS);
    afterAll(() => release?.stop(), START_MS);
    tests(() => {
      if (release === undefined) throw new Error('the release is there only inside tests and their hooks');
      return release;
    });
  });
}

withRelease(`a release under the load of ${String(CHARGERS)} chargers`, (release) => {
  it.each(DISRUPTIONS)(
    'loses nothing, fails no request and closes sockets evenly with 1001 in $name',
    ({ run }) => keepsPromises(release(), run, terms),
    TEST_MS,
  );
});

withRelease('its gateways', (release) => {
  it(
    'loses nothing where a load balancer leads to gateways that stop',
    async () => {
      const { gateway } = release().deployments;
      await keepsPromises(release(), () => gateway.rollOut(), { ...terms, through: 'processes' });
    },
    TEST_MS,
  );

  it(
    'closes connections with 1012 where DRAIN_CODE says so',
    async () => {
      const { gateway } = release().deployments;
      const { env } = gateway.template();
      await gateway.rollOut({ env: { ...env, DRAIN_CODE: '1012' } });
      await keepsPromises(release(), () => gateway.rollOut({ env }), { ...terms, code: 1012 });
    },
    TEST_MS,
  );
});

withRelease('a version that cannot run beside the one before', (release) => {
  it(
    'replaces all processes, gateways last: sockets closed with 1001, nothing lost',
    () => replacesAll(release(), terms),
    TEST_MS,
  );
});

withRelease('two neighbouring versions', (release) => {
  const onlyWithBoth = older === undefined || newer === undefined ? it.skip : it;
  onlyWithBoth(
    'lose nothing while the newer is rolled out, back, and out again, service by service',
    async () => {
      for (const folder of [newer, older, newer]) {
        const rollOut = async ({ deployments }: Release): Promise<void> => {
          for (const deployment of shuffled(Object.values(deployments))) await deployment.rollOut({ folder });
        };
        await keepsPromises(release(), rollOut, terms);
      }
      await eventually(async () => (await settled(release())).every((value) => value === 1), SETTLED_MS);
    },
    3 * TEST_MS,
  );
});

if (MINUTES > 0) {
  withRelease('a release in random disruptions', (release) => {
    it(
      `keeps its promises for ${String(MINUTES)} minutes`,
      async () => {
        const until = Date.now() + MINUTES * 60_000;
        while (Date.now() < until) {
          const { name, run } = random.pick(DISRUPTIONS);
          process.stdout.write(`· ${name}\n`);
          await keepsPromises(release(), run, terms);
        }
      },
      MINUTES * 60_000 + TEST_MS,
    );
  });
}

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
