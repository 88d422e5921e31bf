// `helm test` in the cluster: it passes, and names what is missing.
import { COMPONENTS, RELEASE } from './release';
import { deployment, REPLICAS } from './planned-disruptions';
import type { World } from './world';

const TEST_MS = 300_000;
const SMOKE = `${RELEASE}-smoke`;

export function smokeTests(open: () => World): void {
  it(
    'passes helm test',
    async () => {
      const { release } = open();
      expect(await release.helm('test', '--timeout', '120s')).toMatch(/Phase:\s+Succeeded/);
      const log = await release.kubectl('logs', SMOKE);
      for (const component of COMPONENTS) expect(log).toContain(`ok  /readyz of ${component}\n`);
      // With a charger: the Secret has the key.
      expect(log).toContain('ok  read activeConnection: false\n');
      expect(log).toContain('Everything works.');
    },
    TEST_MS,
  );

  it.each(COMPONENTS)(
    'fails helm test at the step that needs %s when there is none',
    async (component) => {
      const { release } = open();
      try {
        await release.kubectl('scale', deployment(component), '--replicas=0');
        await release.scaled(component, 0);
        await expect(release.helm('test', '--timeout', '120s')).rejects.toThrow();
        expect(await release.kubectl('logs', SMOKE)).toContain(`The step "/readyz of ${component}" failed`);
      } finally {
        await release.kubectl('scale', deployment(component), `--replicas=${String(REPLICAS)}`);
        await release.scaled(component, REPLICAS);
      }
    },
    TEST_MS,
  );
}
