// Tests changes by operators while chargers are connected: nobody may notice more than a close with 1001.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCollections, eq, type Store } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { CHART } from '../chart/helm';
import { underLoad } from './load';
import { COMPONENTS, isReady, RELEASE, type Component, type Pod, type Release } from './release';
import type { World } from './world';

const TEST_MS = 600_000;
const SEEN_MS = 180_000;
/** As many as the chart installs. */
export const REPLICAS = 2;
const NODES = ['node1', 'node2'];

/** Those that every change must pass: gateways, a node, a version. */
export function shortPlannedDisruptions(open: () => World): void {
  restart(open, 'gateway');
  drain(open, 'node1');
  upgradeAndRollback(open);
}

export function otherPlannedDisruptions(open: () => World): void {
  for (const component of COMPONENTS.filter((each) => each !== 'gateway')) restart(open, component);
  drain(open, 'node2');
  scale(open);
  rollbackHalfway(open);
  rollbackInOrder(open);
}

export function deployment(component: Component): string {
  return `deployment/${RELEASE}-${component}`;
}

export async function allSettled(release: Release): Promise<void> {
  for (const component of COMPONENTS) await release.scaled(component, REPLICAS);
}

/** One pod of those that are on one node moves to the other: the scheduler prefers it. */
async function spread(release: Release, component: Component): Promise<void> {
  const [pod, other] = await release.pods(component);
  if (pod === undefined || pod.spec.nodeName !== other?.spec.nodeName) return;
  await release.kubectl('delete', 'pod', pod.metadata.name);
  await release.scaled(component, REPLICAS);
}

/** Where the pods are, in order. */
export async function nodesOf(release: Release, component: Component): Promise<(string | undefined)[]> {
  return (await release.pods(component)).map(({ spec }) => spec.nodeName).sort();
}

function restart(open: () => World, component: Component): void {
  const effect = component === 'gateway' ? 'closes connections evenly with 1001 at most' : 'closes no connection';
  it(
    `${effect} in a rollout restart of ${component}, fails no request, and loses nothing`,
    async () => {
      const { release } = open();
      await underLoad(open(), {
        planned: component === 'gateway' ? 'closes' : 'nothing',
        async disrupt() {
          await release.kubectl('rollout', 'restart', deployment(component));
          await release.kubectl('rollout', 'status', deployment(component), '--timeout=300s');
          await release.scaled(component, REPLICAS);
        },
      });
      expect(await nodesOf(release, component)).toEqual(NODES);
    },
    TEST_MS,
  );
}

function drain(open: () => World, node: string): void {
  it(
    `closes connections evenly with 1001 at most in a drain of ${node}, fails no request, and loses nothing`,
    async () => {
      const { release, cluster } = open();
      try {
        await underLoad(open(), {
          planned: 'closes',
          async disrupt() {
            await cluster.api.kubectl(['drain', node, '--ignore-daemonsets', '--timeout=300s']);
            await allSettled(release);
          },
        });
        for (const component of COMPONENTS) expect(await nodesOf(release, component)).not.toContain(node);
      } finally {
        await cluster.api.kubectl(['uncordon', node]);
        await Promise.all(COMPONENTS.map((component) => spread(release, component)));
      }
    },
    TEST_MS,
  );
}

function scale(open: () => World): void {
  it(
    'closes no connection when gateways scale from 2 to 4, and closes theirs evenly with 1001 when they scale back',
    async () => {
      const { release } = open();
      const scaleTo = async (replicas: number): Promise<void> => {
        await release.kubectl('scale', deployment('gateway'), `--replicas=${String(replicas)}`);
        await release.scaled('gateway', replicas);
      };
      await underLoad(open(), { planned: 'nothing', disrupt: () => scaleTo(2 * REPLICAS) });
      expect(await nodesOf(release, 'gateway')).toEqual(NODES.flatMap((node) => [node, node]));
      // These chargers are on all four.
      await underLoad(open(), { planned: 'closes', disrupt: () => scaleTo(REPLICAS) });
    },
    2 * TEST_MS,
  );
}

function upgradeAndRollback(open: () => World): void {
  it(
    'closes connections evenly with 1001 at most in an upgrade of all services and its rollback, fails no request, and loses nothing',
    async () => {
      const { release, withStore } = open();
      await underLoad(open(), {
        planned: 'closes',
        async disrupt() {
          // As deploy/README.md says it.
          const arguments_ = ['--reset-then-reuse-values', '--set', 'image.tag=next', '--wait', '--timeout', '30m'];
          await release.helm('upgrade', CHART, ...arguments_);
          await allSettled(release);
        },
      });
      expect(await release.kubectl('get', deployment('gateway'), '--output=yaml')).toContain('busbar:next');
      // The newer version's migration, which the older one does not know.
      expect(await withStore(countMigrated)).toBeGreaterThan(0);
      await underLoad(open(), {
        planned: 'closes',
        async disrupt() {
          await release.helm('rollback', '--wait', '--timeout', '300s');
          await allSettled(release);
        },
      });
      for (const component of COMPONENTS) expect(await nodesOf(release, component)).toEqual(NODES);
    },
    2 * TEST_MS,
  );
}

function rollbackInOrder(open: () => World): void {
  it(
    'closes connections evenly with 1001 at most in the rollback in order of the README, fails no request, and loses nothing',
    async () => {
      const { release } = open();
      await release.upgrade({ image: { tag: 'next' } });
      await allSettled(release);
      await underLoad(open(), {
        planned: 'closes',
        async disrupt() {
          for (const [program = '', command = '', ...words] of rollbackCommands()) {
            if (program === 'helm') await release.helm(command, ...words.slice(1));
            else await release.kubectl(command, ...words);
          }
          await allSettled(release);
        },
      });
      for (const component of COMPONENTS) {
        expect(await release.kubectl('get', deployment(component), '--output=yaml')).not.toContain('busbar:next');
      }
    },
    TEST_MS,
  );
}

/** The words of each command with which the README of the chart rolls back in order. */
function rollbackCommands(): readonly (readonly string[])[] {
  const readme = readFileSync(join(CHART, 'README.md'), 'utf8');
  const [, lines = ''] = /```sh\n(kubectl rollout undo[^`]*)```/.exec(readme) ?? [];
  const commands = lines.trim().split('\n');
  expect(commands).toHaveLength(7);
  return commands.map((line) => line.split(' '));
}

function rollbackHalfway(open: () => World): void {
  it(
    'closes connections evenly with 1001 at most in a rollback while an upgrade replaces pods, fails no request, and loses nothing',
    async () => {
      const { release } = open();
      const before = new Set((await release.pods()).map(({ metadata }) => metadata.uid));
      const isNew = (pod: Pod): boolean => isReady(pod) && !before.has(pod.metadata.uid);
      await underLoad(open(), {
        planned: 'closes',
        changes: 2,
        async disrupt() {
          await release.beginUpgrade({ image: { tag: 'next' } });
          for (const component of ['gateway', 'charger-state'] as const) {
            await eventually(async () => (await release.pods(component)).some(isNew), SEEN_MS);
          }
          await release.helm('rollback', '--wait', '--timeout', '300s');
          await allSettled(release);
        },
      });
      expect(await release.kubectl('get', deployment('gateway'), '--output=yaml')).not.toContain('busbar:next');
      for (const component of COMPONENTS) expect(await nodesOf(release, component)).toEqual(NODES);
    },
    TEST_MS,
  );
}

async function countMigrated(store: Store): Promise<number> {
  const counts = allCollections.map((definition) => store.collection(definition).count(eq('addedField', 1)));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
