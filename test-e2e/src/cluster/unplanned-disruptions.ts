// Tests failures while chargers are connected: no answered message is lost or stored twice, and the API reports the
// truth 20 s later.
import { eventually } from '@busbar/testing';
import type { Values } from '../chart/helm';
import { isRunning, programOf } from './containers';
import { exhaustMemory } from './control-groups';
import { underLoad } from './load';
import { allSettled, REPLICAS } from './planned-disruptions';
import { COMPONENTS, isReady, type Component, type Pod, type Release } from './release';
import type { World } from './world';

const TEST_MS = 600_000;
const SEEN_MS = 180_000;

export function unplannedDisruptions(open: () => World): void {
  describe.each(['gateway', 'charger-state'] as const)('%s', (component) => {
    it('loses nothing when a pod is deleted without grace', () => deletedPod(open(), component), TEST_MS);
    it('loses nothing when a process gets SIGKILL', () => killedProcess(open(), component), TEST_MS);
    it('loses nothing when a container is out of memory', () => memoryEnds(open(), component), TEST_MS);
  });
  it('loses nothing when a node loses power: its work moves to the other one', () => nodeLost(open()), TEST_MS);
  it.each<[string, Values, (pod: Pod) => boolean]>([
    ['an image that is not there', { image: { tag: 'absent' } }, (pod) => reasonOf(pod) === 'ErrImageNeverPull'],
    ['a broker that is not there', { broker: { existingSecret: { name: 'servers-elsewhere' } } }, isStarted],
  ])(
    '%s stops a rollout, and nobody notices',
    (_name, values, hasFailed) => stuckRollout(open(), values, hasFailed),
    TEST_MS,
  );
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

async function nodeLost(world: World): Promise<void> {
  const { release, cluster } = world;
  const [survivor, lost] = cluster.nodes;
  try {
    await underLoad(world, {
      async disrupt() {
        await lost.cutPower();
        for (const component of COMPONENTS) {
          await eventually(async () => {
            const ready = (await release.pods(component)).filter(isReady);
            return ready.length === REPLICAS && ready.every(({ spec }) => spec.nodeName === survivor.name);
          }, SEEN_MS);
        }
      },
    });
  } finally {
    await lost.start();
    await cluster.nodesReady();
    await allSettled(release);
  }
}

/** The new pods never become ready, and the old ones serve on until the release is rolled back. */
async function stuckRollout(world: World, values: Values, hasFailed: (pod: Pod) => boolean): Promise<void> {
  const { release } = world;
  const serving = await uidsOf(release, isReady);
  await underLoad(world, {
    planned: 'nothing',
    async disrupt() {
      await release.beginUpgrade(values);
      for (const component of COMPONENTS) {
        await eventually(
          async () => (await release.pods(component)).some((pod) => !isReady(pod) && hasFailed(pod)),
          SEEN_MS,
        );
      }
      expect(await uidsOf(release, isReady)).toEqual(serving);
      await release.helm('rollback', '--wait', '--timeout', '180s');
      await allSettled(release);
    },
  });
  expect(await uidsOf(release, isReady)).toEqual(serving);
}

async function uidsOf(release: Release, which: (pod: Pod) => boolean): Promise<readonly string[]> {
  return (await release.pods())
    .filter(which)
    .map(({ metadata }) => metadata.uid)
    .sort();
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

function reasonOf({ status }: Pod): string | undefined {
  return status.containerStatuses?.[0]?.state['waiting']?.reason;
}

/** It has tried to connect: its process runs, or has ended already. */
function isStarted({ status }: Pod): boolean {
  const container = status.containerStatuses?.[0];
  return container?.started === true || (container?.restartCount ?? 0) > 0;
}
