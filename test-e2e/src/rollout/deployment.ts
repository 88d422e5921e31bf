// The processes of one service as a Deployment with maxSurge 1 and maxUnavailable 0 keeps them: replaced one after the other, or
// all at once as its strategy Recreate does, scaled, and evicted from a node as a disruption budget of one allows.
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import type { Balancer } from './balancer';
import { startPod, type Pod } from './pod';
import type { Component, Environment, Probe } from './rendered';

/** The template of its processes. */
export interface Template {
  readonly env: Environment;
  /** The folder of the checkout. Default: this one. */
  readonly folder?: string | undefined;
}

export interface DeploymentOptions {
  readonly component: Component;
  readonly replicas: number;
  readonly template: Template;
  readonly probe: Probe;
  /** After which others know what a probe has found. */
  readonly lagSeconds: number;
  readonly minReadySeconds: number;
  readonly graceSeconds: number;
  /** In front of it, where it listens. */
  readonly balancers?: Balancers;
}

export interface Balancers {
  /** Takes a process out soon after its probes find it unready, as the EndpointSlices of a Service do. */
  readonly endpoints: Balancer;
  /** Leads to every process until it has ended, whatever it says of itself. */
  readonly processes: Balancer;
}

export interface Deployment {
  readonly component: Component;
  template(): Template;
  /** Those that do not stop. */
  pods(): readonly Pod[];
  /** All that there ever were. */
  everyPod(): readonly Pod[];
  /** Replaces its processes by those of this template; resolves when the old ones have ended. */
  rollOut(change?: Partial<Template>): Promise<void>;
  /** Ends all its processes; starts new ones when the last has ended. */
  recreate(change?: Partial<Template>): Promise<void>;
  scale(replicas: number): Promise<void>;
  /** Moves its processes from the node to others, each once the budget allows it. */
  drain(node: string): Promise<void>;
  /** Ends all of them. */
  stop(): Promise<void>;
}

export const NODES = ['node1', 'node2'];
const EVICTED_WITHIN_MS = 120_000;
const SERVICES: Readonly<Record<Component, string>> = {
  gateway: 'ocpp-gateway',
  'charger-state': 'charger-state',
  'v2-api': 'v2-api',
  'legacy-api': 'legacy-api',
};

/** Resolves when all of its processes are ready, and reachable where it has load balancers. */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { component, probe, lagSeconds, graceSeconds, minReadySeconds, balancers } = options;
  let { template, replicas } = options;
  let generation = 0;
  const generations = new Map<Pod, number>();
  const current: Pod[] = [];
  const every: Pod[] = [];
  let ends: Promise<void>[] = [];

  function create(forbidden?: string): Pod {
    const own = current.filter((pod) => generations.get(pod) === generation);
    const pod: Pod = startPod({
      name: `${component}-${String(every.length + 1)}`,
      node: emptiest(own, forbidden),
      service: SERVICES[component],
      folder: template.folder,
      env: template.env,
      probe,
      graceSeconds,
      onReadiness: (isReady) => void follow(pod, isReady),
    });
    generations.set(pod, generation);
    current.push(pod);
    every.push(pod);
    return pod;
  }

  /** Others learn of its readiness a moment later. */
  async function follow(pod: Pod, isReady: boolean): Promise<void> {
    if (balancers === undefined) return;
    const { name } = pod;
    if (isReady) {
      const target = await pod.program().bound('public');
      balancers.processes.add(name, target);
      void pod
        .program()
        .exited()
        .then(() => balancers.processes.remove(name));
      await last(lagSeconds * 1_000);
      if (pod.isReady()) balancers.endpoints.add(name, target);
    } else {
      await last(lagSeconds * 1_000);
      if (!pod.isReady()) balancers.endpoints.remove(name);
    }
  }

  function terminate(pod: Pod): void {
    current.splice(current.indexOf(pod), 1);
    const end = pod.terminate();
    // `ended` rejects with it.
    end.catch(() => undefined);
    ends.push(end);
  }

  async function ended(): Promise<void> {
    await Promise.all(ends);
    ends = [];
  }

  await Promise.all(Array.from({ length: replicas }, () => create().ready()));
  if (balancers !== undefined) await eventually(() => current.every(({ name }) => balancers.endpoints.has(name)));

  return {
    component,
    template: () => template,
    pods: () => current,
    everyPod: () => every,
    async rollOut(change = {}) {
      template = { ...template, ...change };
      generation += 1;
      for (const old of [...current]) {
        await create().ready();
        await last(minReadySeconds * 1_000);
        terminate(old);
      }
      await ended();
    },
    async recreate(change = {}) {
      template = { ...template, ...change };
      generation += 1;
      for (const old of [...current]) terminate(old);
      await ended();
      await Promise.all(Array.from({ length: replicas }, () => create().ready()));
    },
    async scale(next) {
      replicas = next;
      while (current.length < replicas) create();
      // The youngest go first.
      for (const pod of current.slice(replicas).reverse()) terminate(pod);
      await Promise.all([ended(), ...current.map((pod) => pod.ready())]);
    },
    async drain(node) {
      for (const pod of current.filter((each) => each.node === node)) {
        // The budget lets one be missing.
        await eventually(() => current.filter((each) => each.isReady()).length >= replicas, EVICTED_WITHIN_MS);
        terminate(pod);
        create(node);
      }
      await Promise.all([ended(), ...current.map((pod) => pod.ready())]);
    },
    async stop() {
      for (const pod of [...current]) terminate(pod);
      await Promise.allSettled(ends);
      await ended();
    },
  };
}

function emptiest(pods: readonly Pod[], forbidden: string | undefined): string {
  const count = (node: string): number => pods.filter((pod) => pod.node === node).length;
  const [first] = NODES.filter((node) => node !== forbidden).sort((a, b) => count(a) - count(b));
  if (first === undefined) throw new Error('no node is left');
  return first;
}
