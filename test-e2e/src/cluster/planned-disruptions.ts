// What operators do while chargers are connected: nobody may notice more than a close with 1001.
import { eventually } from '@busbar/testing';
import { underLoad } from './load';
import { isReady, RELEASE, type Component } from './release';
import { NAMESPACE } from './servers';
import type { World } from './world';

const TEST_MS = 600_000;
const READY_MS = 180_000;

export function plannedDisruptions(open: () => World): void {
  const kubectl = (...kubectlArguments: readonly string[]): Promise<string> =>
    open().cluster.api.kubectl(['--namespace', NAMESPACE, ...kubectlArguments]);
  const deployment = (component: Component): string => `deployment/${RELEASE}-${component}`;
  const rolledOut = (component: Component): Promise<string> =>
    kubectl('rollout', 'status', deployment(component), '--timeout=300s');

  /** As many as there should be, and no other. */
  async function settled(component: Component, replicas: number): Promise<void> {
    await eventually(async () => {
      const pods = await open().release.pods(component);
      return pods.length === replicas && pods.every(isReady);
    }, READY_MS);
  }

  async function nodesOf(component: Component): Promise<(string | undefined)[]> {
    return (await open().release.pods(component)).map(({ spec }) => spec.nodeName).sort();
  }

  it(
    'a rollout restart of the gateways closes sockets evenly with 1001 at most, and loses nothing',
    async () => {
      const component = 'gateway';
      await underLoad(open(), {
        isPlanned: true,
        async disrupt() {
          await kubectl('rollout', 'restart', deployment(component));
          await rolledOut(component);
          await settled(component, 2);
        },
      });
      expect(await nodesOf(component)).toEqual(['node1', 'node2']);
    },
    TEST_MS,
  );
}
