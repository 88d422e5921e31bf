// What breaks while chargers are connected: nothing that was answered is lost or stored twice, and the API tells the truth 20 s later.
import { eventually } from '@busbar/testing';
import { isRunning, programOf } from './containers';
import { exhaustMemory } from './control-groups';
import { underLoad } from './load';
import { REPLICAS } from './planned-disruptions';
import { isReady, type Component, type Pod, type Release } from './release';
import type { World } from './world';

const TEST_MS = 600_000;
const SEEN_MS = 180_000;

export function unplannedDisruptions(open: () => World): void {
  describe.each(['gateway', 'charger-state'] as const)('%s', (component) => {
    it('loses nothing when a pod is deleted without grace', () => deletedPod(open(), component), TEST_MS);
    it('loses nothing when a process gets SIGKILL', () => killedProcess(open(), component), TEST_MS);
    it('loses nothing when a container is out of memory', () => memoryEnds(open(), component), TEST_MS);
  });
}

async function deletedPod(world: World, component: Component): Promise<void> {
  const { release } = world;
  await underLoad(world, {
    async disrupt() {
      const { metadata } = await onePod(release, component);
      await release.kubectl('delete', 'pod', metadata.name, '--grace-period=0', '--force');
      await untilReplaced(release, component, metadata.uid);
    },
  });
}

async function killedProcess(world: World, component: Component): Promise<void> {
  const { release } = world;
  await underLoad(world, {
    async disrupt() {
      const pod = await onePod(release, component);
      process.kill(programOf(world, pod), 'SIGKILL');
      await untilRestarted(release, component, pod);
    },
  });
}

async function memoryEnds(world: World, component: Component): Promise<void> {
  const { release } = world;
  await underLoad(world, {
    async disrupt() {
      const pod = await onePod(release, component);
      const pid = programOf(world, pod);
      await eventually(() => {
        if (!isRunning(pid)) return true;
        exhaustMemory(pid);
        return false;
      }, SEEN_MS);
      const restarted = await untilRestarted(release, component, pod);
      expect(restarted.status.containerStatuses?.[0]?.lastState['terminated']?.reason).toBe('OOMKilled');
    },
  });
}

async function onePod(release: Release, component: Component): Promise<Pod> {
  const [pod] = await release.pods(component);
  if (pod === undefined) throw new Error(`there is no pod of ${component}`);
  return pod;
}

async function untilReplaced(release: Release, component: Component, uid: string): Promise<void> {
  await eventually(async () => {
    const pods = await release.pods(component);
    return pods.length === REPLICAS && pods.every((pod) => isReady(pod) && pod.metadata.uid !== uid);
  }, SEEN_MS);
}

async function untilRestarted(release: Release, component: Component, pod: Pod): Promise<Pod> {
  return eventually(async () => {
    const own = (await release.pods(component)).find(({ metadata }) => metadata.uid === pod.metadata.uid);
    return own !== undefined && isReady(own) && restartsOf(own) > restartsOf(pod) ? own : undefined;
  }, SEEN_MS);
}

function restartsOf({ status }: Pod): number {
  return status.containerStatuses?.[0]?.restartCount ?? 0;
}
