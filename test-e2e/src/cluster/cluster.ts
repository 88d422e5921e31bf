// A Kubernetes of two nodes for a test.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { startControlPlane, type ControlPlane } from './control-plane';
import type { KubernetesApi, KubernetesObject } from './kubernetes-api';
import { startNameServer } from './name-server';
import { surroundings } from './surroundings';
import { createWorkerNode, type WorkerNode } from './worker-node';

export interface Cluster {
  readonly api: KubernetesApi;
  readonly kubeconfig: string;
  readonly nodes: readonly [WorkerNode, WorkerNode];
  /** The address of the machine as pods see it: servers beside the cluster listen there. */
  readonly host: string;
  /** Resolves when the API server reports this of every node. */
  nodesReady(): Promise<void>;
  /** Where the logs of its parts were copied to, to find the cause of a failure. */
  keepLogs(): string;
  stop(): Promise<void>;
}

interface Conditioned extends KubernetesObject {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const READY_MS = 120_000;

export async function openCluster(): Promise<Cluster> {
  const around = surroundings();
  const controlPlane = await startControlPlane(around);
  const { api, kubeconfig, kubeconfigOf } = controlPlane;
  const names = await startNameServer(api, around.addresses[0]);
  const nodes = await Promise.all([
    createWorkerNode(around, 1, kubeconfigOf('system:node:node1')),
    createWorkerNode(around, 2, kubeconfigOf('system:node:node2')),
  ]);
  const cluster: Cluster = {
    api,
    kubeconfig,
    nodes,
    host: around.addresses[0],
    nodesReady: () => untilReady(api, nodes),
    keepLogs: () => keepLogs(controlPlane, nodes),
    async stop() {
      // With their containers, before what they would report to.
      await Promise.all(nodes.map((node) => node.cutPower()));
      await names.stop();
      await Promise.all(controlPlane.parts.map((part) => part.end('SIGKILL')));
    },
  };
  await cluster.nodesReady().catch(async (error: unknown) => {
    const logs = cluster.keepLogs();
    await cluster.stop();
    throw new Error(`the nodes are not ready; the logs of the cluster are in ${logs}`, { cause: error });
  });
  return cluster;
}

async function untilReady(api: KubernetesApi, nodes: readonly WorkerNode[]): Promise<void> {
  for (const { name } of nodes) {
    await eventually(async () => {
      const { status } = await api.get<Conditioned>(`/api/v1/nodes/${name}`);
      return status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    }, READY_MS);
  }
}

function keepLogs({ parts }: ControlPlane, nodes: readonly WorkerNode[]): string {
  const directory = join(tmpdir(), 'busbar-cluster-logs');
  mkdirSync(directory, { recursive: true });
  for (const part of [...parts, ...nodes.flatMap((node) => node.parts)]) {
    writeFileSync(join(directory, `${part.name.replaceAll(' ', '-')}.log`), part.output());
  }
  return directory;
}
