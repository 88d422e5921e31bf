// The faults, which break one thing and mend it again. Each resolves when every process runs and every connection passes.
import { setTimeout as last } from 'node:timers/promises';
import { eventually, findDocumentServer, findRabbitServer, type PrivateServer } from '@busbar/testing';
import {
  CUT_MS,
  cuts,
  endings,
  pauses,
  sparingGateways,
  stalls,
  type Breakable,
  type Endable,
  type Fault,
} from './fault';
import { readMetric } from '../harness/metrics';
import type { Network, Node } from './network';
import type { Random } from './random';

export interface NetworkFault extends Fault<Network> {
  /** Breaks that server itself, which must then be one that the test has started. */
  readonly server?: 'RabbitMQ' | 'the document server';
}

const OF_OTHERS: readonly NetworkFault[] = sparingGateways<NetworkFault>([
  ...endings<Network>('a charger-state', ({ replicas }, random) => random.pick(replicas)),
  ...endings<Network>('an API', ({ apis }, random) => random.pick(apis)),
  ...endings<Network>('a push', ({ pushes }, random) => random.pick(pushes)),
  { name: 'SIGKILL of every charger-state at once', run: ({ replicas }) => restartAll(replicas) },
  {
    name: 'SIGKILL of every push and of the v2 API at once',
    run: ({ pushes, apis: [v2] }) => restartAll([...pushes, v2]),
  },
  ...pauses<Network>('a charger-state', ({ replicas }, random) => random.pick(replicas)),
  ...pauses<Network>('an API', ({ apis }, random) => random.pick(apis)),
  ...pauses<Network>('a push', ({ pushes }, random) => random.pick(pushes)),
  ...cuts<Network>('charger-state and broker', ({ replicas }, random) => random.pick(replicas).proxies.broker),
  ...cuts<Network>('charger-state and store', ({ replicas }, random) => storeOf(random.pick(replicas))),
  ...cuts<Network>('push and broker', ({ pushes }, random) => random.pick(pushes).proxies.broker),
  ...cuts<Network>('push and store', ({ pushes }, random) => storeOf(random.pick(pushes))),
  ...cuts<Network>('API and broker', ({ apis }, random) => random.pick(apis).proxies.broker),
  ...cuts<Network>('API and store', ({ apis }, random) => storeOf(random.pick(apis))),
]);

const OF_SERVERS: readonly NetworkFault[] = sparingGateways([
  ...of('RabbitMQ', [
    { name: 'SIGKILL of RabbitMQ and its restart', run: ({ rabbit }) => rabbit.restart() },
    ...stalls<Network>('RabbitMQ', ({ rabbit }) => rabbit),
    ...pauses<Network>('RabbitMQ', ({ rabbit }) => rabbit),
  ]),
  ...of('the document server', [
    { name: 'SIGKILL of the document server and its restart', run: ({ documents }) => documents.restart() },
    ...pauses<Network>('the document server', ({ documents }) => documents),
    {
      name: 'SIGKILL of the document server and of a charger-state at the same moment',
      run: ({ documents, replicas }, random) => killTogether(documents, random.pick(replicas)),
    },
  ]),
]);

const OF_GATEWAYS: readonly NetworkFault[] = [
  ...endings<Network>('a gateway', ({ gateways }, random) => random.pick(gateways)),
  { name: 'SIGKILL of every gateway at once', run: ({ gateways }) => restartAll(gateways) },
  ...of('RabbitMQ', [
    {
      name: 'SIGKILL of RabbitMQ and of a gateway at the same moment',
      run: ({ rabbit, gateways }, random) => killTogether(rabbit, random.pick(gateways)),
    },
    {
      name: 'SIGKILL of RabbitMQ, of a gateway in the outage, and of a charger-state when it is back',
      run: killOneAfterTheOther,
    },
  ]),
  ...pauses<Network>('a gateway', ({ gateways }, random) => random.pick(gateways)),
  ...cuts<Network>('gateway and broker', ({ gateways }, random) => random.pick(gateways).proxies.broker),
  ...cuts<Network>('chargers and gateway', ({ gateways }, random) => chargersOf(random.pick(gateways))),
];

const ALL: readonly NetworkFault[] = [...OF_GATEWAYS, ...OF_OTHERS, ...OF_SERVERS];

/** Those that can be made here: a server that is only used is not killed. */
export function possibleFaults(): readonly NetworkFault[] {
  const documents = findDocumentServer().source;
  return ALL.filter(({ server }) => {
    if (server === 'RabbitMQ') return canKillRabbit();
    return server === undefined || documents === 'program';
  });
}

export function canKillRabbit(): boolean {
  const { source } = findRabbitServer();
  return source === 'program' || source === 'container';
}

function of(server: 'RabbitMQ' | 'the document server', faults: readonly Fault<Network>[]): NetworkFault[] {
  return faults.map((fault) => ({ ...fault, server }));
}

async function restartAll(nodes: readonly Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await Promise.all(nodes.map((node) => node.start()));
}

/** The server comes back first: a process does not start without it. */
export async function killTogether(server: Pick<PrivateServer, 'kill' | 'restart'>, node: Endable): Promise<void> {
  await Promise.all([server.kill(), node.end('SIGKILL')]);
  await server.restart();
  await node.start();
}

async function killOneAfterTheOther({ rabbit, gateways, replicas }: Network, random: Random): Promise<void> {
  const [gateway, replica] = [random.pick(gateways), random.pick(replicas)];
  await rabbit.kill();
  await last(random.below(CUT_MS));
  await gateway.end('SIGKILL');
  await rabbit.restart();
  await Promise.all([gateway.start(), replica.end('SIGKILL')]);
  await replica.start();
}

function storeOf({ name, proxies }: Node): Breakable {
  if (proxies.store === undefined) throw new Error(`${name} has no store`);
  return proxies.store;
}

function chargersOf({ name, proxies }: Node): Breakable {
  if (proxies.chargers === undefined) throw new Error(`${name} has no chargers`);
  return proxies.chargers;
}

/** All services and the broker report that they are ready: after this, a wrong state is a failure. */
export async function untilReady(network: Network): Promise<void> {
  await Promise.all(
    network.nodes().map((node) =>
      eventually(async () => {
        await node.program().ready();
        // A gateway without the broker stays ready.
        return readMetric(await node.metrics(), 'busbar_broker_up') === 1;
      }, 60_000),
    ),
  );
}
