// The planned changes by operators, and what chargers may notice of them.
import { eventually } from '@busbar/testing';
import { brokenPromises } from '../faults/disruption';
import { explained } from '../faults/episode';
import type { Random } from '../faults/random';
import { disruptUnderLoad } from '../faults/under-load';
import { NODES, type Balancers } from './deployment';
import type { Release } from './release';
import { COMPONENTS, DRAIN_S } from './rendered';

export interface PlannedDisruption {
  readonly name: string;
  readonly run: (release: Release) => Promise<unknown>;
}

export const DISRUPTIONS: readonly PlannedDisruption[] = [
  ...COMPONENTS.map((component) => ({
    name: `a rolling restart of ${component}`,
    run: ({ deployments }: Release) => deployments[component].rollOut(),
  })),
  ...NODES.map((node) => ({
    name: `a drain of ${node}`,
    run: ({ deployments }: Release) => Promise.all(Object.values(deployments).map((each) => each.drain(node))),
  })),
  // One after the other: the chargers of the second are spread over four.
  ...[4, 2].map((replicas) => ({
    name: `gateways scaled to ${String(replicas)}`,
    run: ({ deployments }: Release) => deployments.gateway.scale(replicas),
  })),
];

export interface Terms {
  readonly random: Random;
  readonly chargers: number;
  /** Close code of the gateways that stop. Default 1001. */
  readonly code?: number;
  /** Default: the one that follows readiness. */
  readonly through?: keyof Balancers;
}

const CLOSE_CODE = 1001;
const GROUP_SIZE = 50;
const STOPPED_WITHIN_MS = 120_000;

/**
 * As `upgradeStrategy: stop` replaces a version under load, gateways last. Requests and decisions may fail meanwhile, and sockets wait for
 * CALLs that nobody decides, so that they are not closed evenly; each is closed with 1001, and nothing that was answered is lost.
 */
export async function replacesAll(release: Release, { random, chargers }: Terms): Promise<void> {
  const { deployments } = release;
  const { gateway, ...others } = deployments;
  const old = Object.values(others).flatMap((deployment) => deployment.pods());
  const count = gateway.everyPod().length;
  const judged = async (): Promise<void> => {
    const disrupt = async (): Promise<void> => {
      const runningBeside = eventually(() => gateway.everyPod().length > count, STOPPED_WITHIN_MS).then(() =>
        old.filter((pod) => pod.isRunning()).map(({ name }) => name),
      );
      await Promise.all(Object.values(deployments).map((deployment) => deployment.recreate()));
      expect(await runningBeside).toEqual([]);
    };
    // No process of the APIs runs for a while.
    const system = { ...release.system('endpoints'), pages: [] };
    const { closes } = await disruptUnderLoad(system, { chargers, groupSize: GROUP_SIZE, random, disrupt });
    const codes = [...closes.values()].flat().map(({ code }) => code);
    expect([...new Set(codes)]).toEqual([CLOSE_CODE]);
    // Nobody kept its socket.
    expect(closes.size).toBe(chargers);
  };
  await explained(release.everyPod, judged());
}

/** Disrupts under load; rejects with the promises that were broken. */
export async function keepsPromises(release: Release, run: PlannedDisruption['run'], terms: Terms): Promise<void> {
  const { random, chargers, code = CLOSE_CODE, through = 'endpoints' } = terms;
  const judged = async (): Promise<void> => {
    const disrupt = (): Promise<unknown> => run(release);
    const system = release.system(through);
    const effect = await disruptUnderLoad(system, { chargers, groupSize: GROUP_SIZE, random, disrupt });
    const { sockets, reads } = effect;
    const promised = { code, drainS: DRAIN_S, sockets, meetsStopping: through === 'processes' };
    expect(brokenPromises(effect, promised)).toEqual([]);
    expect(reads.succeeded).toBeGreaterThan(0);
    expect(reads.failures.slice(0, 20)).toEqual([]);
  };
  await explained(release.everyPod, judged());
}
