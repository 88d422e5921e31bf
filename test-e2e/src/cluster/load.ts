// Chargers under load at the release, and the account of what a disruption did to them and to clients of the APIs.
import { allCollections, and, ne, type Store, collections } from '@busbar/store';
import { brokenPromises, type Disruption, type Sockets } from '../faults/disruption';
import type { Fleet } from '../faults/fleet';
import { createRandom, seedOfRun } from '../faults/random';
import { disruptUnderLoad } from '../faults/under-load';
import { metricOfGateways } from './gateway-metric';
import { DRAIN_S, type Release } from './release';
import { explain, type World } from './world';

export interface LoadOptions {
  /** Begins and ends the disruption; resolves when all is there again. */
  readonly disrupt: (fleet: Fleet) => Promise<unknown>;
  /**
   * The effects of a planned disruption that chargers may notice: closes of gateways that stop, or nothing. Undefined
   * for an accident: then chargers and clients may notice it.
   */
  readonly planned?: 'closes' | 'nothing';
  /** Planned ones one after the other; 1 by default. */
  readonly changes?: number;
  /** Default: as many as the machine carries. */
  readonly chargers?: number;
}

/** CLUSTER_CHARGERS has another number: what a machine carries beside the cluster depends on what else it does. */
export const CHARGERS = Number(process.env['CLUSTER_CHARGERS'] ?? (process.env['CLUSTER_ALL'] === '1' ? '600' : '100'));
const GROUP_SIZE = 50;
const CLOSE_CODE = 1001;

/** Gives what the chargers saw. */
export async function underLoad(
  { cluster, release, withStore }: Pick<World, 'cluster' | 'release' | 'withStore'>,
  { disrupt, planned, changes = 1, chargers = CHARGERS }: LoadOptions,
): Promise<Disruption> {
  const system = {
    api: release.v2,
    withStore,
    pages: release.reads,
    addresses: () => [release.chargerAddress],
    gatewayOf: release.gatewayOf,
    sockets: () => socketsOf(release),
  };
  const random = createRandom(seedOfRun());
  const options = { chargers, groupSize: GROUP_SIZE, random, disrupt, isAccident: planned === undefined };
  const effect = await disruptUnderLoad(system, options).catch(async (error: unknown) => {
    await explain(cluster);
    throw error;
  });
  await withStore(deleteHistory);
  if (planned === undefined) return effect;
  expect(effect.reads.failures.slice(0, 20)).toEqual([]);
  const promised = { code: CLOSE_CODE, drainS: DRAIN_S, sockets: effect.sockets, changes };
  expect(brokenPromises(effect, promised)).toEqual([]);
  if (planned === 'nothing') expect([...effect.closes]).toEqual([]);
  return effect;
}

async function socketsOf(release: Release): Promise<Sockets> {
  const read = await metricOfGateways(release, 'busbar_gateway_connections');
  return new Map(read.map(({ pod, value }) => [pod.status.podIP ?? '', value]));
}

/** The stand-in for MongoDB reads whole collections for some queries: a later load would be slower than the ones before. */
async function deleteHistory(store: Store): Promise<void> {
  const logs = allCollections.filter(({ layout }) => layout === 'log');
  for (const definition of logs) await store.collection(definition).delete(and());
  await store.collection(collections.sessions).delete(ne('state', 'ongoing'));
}
