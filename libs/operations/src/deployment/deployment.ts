// What an operator sees of the whole deployment through an API: dead letters and processes, over all clients.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { AppError, type Clock, type Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';
import { createProcessReader, ownerAmong, readPartitions, type ProcessRecord } from '@busbar/runtime';
import { createDeadLetterStore, type Store } from '@busbar/store';
import { replayLetter, replayStored } from '../replay-dead-letter';
import { createDeploymentWatch, type AnnouncedGateway, type AnnouncedPush } from './deployment-watch';

export interface Deployment extends Service {
  readonly deadLetters: DeadLetterStore;
  /** Publishes the letter to its queue again, and removes it. Rejects with `invalid_request`, `unavailable`. */
  replay(letter: StoredDeadLetter): Promise<void>;
  processes(): Promise<DeploymentReport>;
}

export interface DeploymentReport {
  readonly gateways: readonly GatewayReport[];
  readonly chargerState: readonly { readonly replicaId: string; readonly partitions: readonly number[] }[];
  /** Messages that wait in each partition's queue. Empty before the first charger-state. */
  readonly partitions: readonly { readonly partition: number; readonly depth: number | undefined }[];
  readonly push: readonly AnnouncedPush[];
  readonly processes: readonly ShownProcess[];
  readonly storeReachable: boolean;
  readonly brokerReachable: boolean;
}

export interface GatewayReport extends Partial<AnnouncedGateway> {
  readonly gatewayId: string;
  /** Chargers that the store shows as connected there. */
  readonly chargers: number;
  /** charger-state declared it dead: its lease expired. */
  readonly isDead: boolean;
}

export interface DeploymentDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<Records, 'gateways'>;
  readonly clock: Clock;
  /** This process, where it has the store to itself: such a process is not shown in the store. */
  readonly self?: ShownProcess;
}

type ShownProcess = Pick<ProcessRecord, 'service' | 'program' | 'schema'>;

/** Requests that arrive together share one reading. */
const REREAD_MS = 2_000;

/** Call it before the store is started. */
export function createDeployment(deps: DeploymentDeps): Deployment {
  const { broker, store, clock } = deps;
  const readProcesses = createProcessReader(store);
  const watch = createDeploymentWatch(deps);
  const deadLetters = createDeadLetterStore(store);
  let latest: { readonly atMs: number; readonly report: Promise<DeploymentReport> } | undefined;
  let declared: Promise<void> | undefined;

  async function publish(letter: StoredDeadLetter): Promise<void> {
    const partitions = await readPartitions(store);
    if (partitions === undefined) throw new AppError('unavailable', 'no charger-state has used this store yet');
    await (declared ??= broker.declareQueue(channels.reports, partitions).catch((error: unknown) => {
      declared = undefined;
      throw error;
    }));
    await replayLetter(broker, partitions, letter);
  }

  async function read(): Promise<DeploymentReport> {
    const count = (await readPartitions(store)) ?? 0;
    const replicas = watch.replicas();
    const numbers = Array.from({ length: count }, (_, partition) => partition);
    const owners = numbers.map((partition) => ownerAmong(String(partition), replicas));
    return {
      gateways: await readGateways(deps, watch.gateways()),
      chargerState: replicas.map(({ replicaId }) => {
        return { replicaId, partitions: numbers.filter((partition) => owners[partition] === replicaId) };
      }),
      partitions: await Promise.all(
        numbers.map(async (partition) => ({ partition, depth: await depthOf(broker, partition) })),
      ),
      push: watch.pushReplicas(),
      processes: deps.self === undefined ? await readProcesses() : [deps.self],
      storeReachable: store.ready(),
      brokerReachable: broker.ready(),
    };
  }

  return {
    ...watch.service,
    deadLetters,
    replay: (letter) => replayStored(deadLetters, letter, publish),
    processes() {
      const atMs = clock.monotonicMs();
      if (latest === undefined || atMs - latest.atMs >= REREAD_MS) latest = { atMs, report: read() };
      return latest.report;
    },
  };
}

async function readGateways(
  { records }: Pick<DeploymentDeps, 'records'>,
  announced: ReadonlyMap<string, AnnouncedGateway>,
): Promise<readonly GatewayReport[]> {
  const active = new Map(
    (await records.gateways.countActive()).map(({ gatewayId, chargers }) => [gatewayId, chargers]),
  );
  const ids = [...new Set([...announced.keys(), ...active.keys()])].toSorted();
  return Promise.all(
    ids.map(async (gatewayId) => {
      const isDead = await records.gateways.isDead(gatewayId);
      return { ...announced.get(gatewayId), gatewayId, chargers: active.get(gatewayId) ?? 0, isDead };
    }),
  );
}

/** Undefined while the broker does not say. */
async function depthOf(broker: Broker, partition: number): Promise<number | undefined> {
  if (!broker.ready()) return undefined;
  return broker.depth(channels.reports, partition).catch(() => undefined);
}
