// The partitions spread over the replicas that are there, and are taken over from one that goes.
import { eventually } from '@busbar/testing';
import type { Node } from './network';
import type { FaultWorld } from './network-episodes';
import type { Random } from './random';

/** A replica counts the reports that it has applied. While the count grows, it is active for some partition. */
export async function replicasComeAndGo({ network, episode }: FaultWorld, random: Random): Promise<void> {
  await episode({
    random,
    size: 40,
    async fault() {
      await allWork(network.replicas);
      const joined = await network.addReplica();
      await allWork(network.replicas);
      const left = network.replicas.filter((node) => node !== joined).flatMap(partitionsLeft);
      if (left.length === 0) throw new Error('nobody left a partition to the replica that joined');
      await joined.end('SIGKILL');
      await allWork(network.replicas.filter((node) => node !== joined));
      await joined.start();
      await allWork(network.replicas);
      await network.rabbit.restart();
      await allWork(network.replicas);
      await network.removeReplica(joined);
      await allWork(network.replicas);
    },
  });
}

/** Every one of them applies messages: partitions of one that is gone have been taken over, a new one has its share. */
async function allWork(nodes: readonly Node[]): Promise<void> {
  const before = await Promise.all(nodes.map((node) => eventually(async () => ({ count: await applied(node) }))));
  await eventually(async () => {
    const now = await Promise.all(nodes.map(applied));
    return now.every((count, n) => count > (before[n]?.count ?? 0));
  }, 60_000);
}

async function applied(node: Node): Promise<number> {
  const count = /^busbar_state_applied_total(?:\{[^}]*\})? (\d+)/m.exec(await node.metrics())?.[1];
  return Number(count ?? 0);
}

function partitionsLeft(node: Node): string[] {
  return node.output().match(/"leaving a partition to its owner"/g) ?? [];
}
