// What is broken, one by one, and mended again. Each resolves when every process runs and every connection passes.
import { eventually, findDocumentServer, findRabbitServer, type PrivateServer } from '@busbar/testing';
import type { Network, Node } from './network';
import type { Random } from './random';

export interface Fault {
  readonly name: string;
  readonly run: (network: Network, random: Random) => Promise<void>;
  /** Takes half a minute or more: only in the long form. */
  readonly slow?: boolean;
  /** Breaks that server itself, which must then be one that the test has started. */
  readonly server?: 'RabbitMQ' | 'the document server';
}

/** How long a process is stopped and a connection silent: longer than the lease of a gateway. */
const SILENCE_MS = 20_000;
/** A cut is felt at once; this is for what cannot connect again meanwhile. */
const CUT_MS = 3_000;

const ALL: readonly Fault[] = [
  ...endings('a gateway', ({ gateways }, random) => random.pick(gateways)),
  ...endings('a charger-state', ({ replicas }, random) => random.pick(replicas)),
  ...endings('an API', ({ apis }, random) => random.pick(apis)),
  { name: 'SIGKILL of every charger-state at once', run: ({ replicas }) => restartAll(replicas) },
  { name: 'SIGKILL of every gateway at once', run: ({ gateways }) => restartAll(gateways) },
  { name: 'SIGKILL of RabbitMQ and its restart', server: 'RabbitMQ', run: ({ rabbit }) => rabbit.restart() },
  {
    name: 'SIGKILL of the document server and its restart',
    server: 'the document server',
    run: ({ documents }) => documents.restart(),
  },
  {
    name: 'SIGKILL of RabbitMQ and of a gateway at the same moment',
    server: 'RabbitMQ',
    run: ({ rabbit, gateways }, random) => killTogether(rabbit, random.pick(gateways)),
  },
  {
    name: 'SIGKILL of RabbitMQ, of a gateway in the outage, and of a charger-state when it is back',
    server: 'RabbitMQ',
    run: killOneAfterTheOther,
  },
  {
    name: 'SIGKILL of the document server and of a charger-state at the same moment',
    server: 'the document server',
    run: ({ documents, replicas }, random) => killTogether(documents, random.pick(replicas)),
  },
  ...pauses('a gateway', ({ gateways }, random) => pausable(random.pick(gateways))),
  ...pauses('a charger-state', ({ replicas }, random) => pausable(random.pick(replicas))),
  ...pauses('an API', ({ apis }, random) => pausable(random.pick(apis))),
  ...pauses('RabbitMQ', ({ rabbit }) => rabbit).map((fault) => ({ ...fault, server: 'RabbitMQ' as const })),
  ...pauses('the document server', ({ documents }) => documents).map((fault) => ({
    ...fault,
    server: 'the document server' as const,
  })),
  ...cuts('gateway and broker', ({ gateways }, random) => random.pick(gateways).proxies.broker),
  ...cuts('charger-state and broker', ({ replicas }, random) => random.pick(replicas).proxies.broker),
  ...cuts('charger-state and store', ({ replicas }, random) => storeOf(random.pick(replicas))),
  ...cuts('API and broker', ({ apis }, random) => random.pick(apis).proxies.broker),
  ...cuts('API and store', ({ apis }, random) => storeOf(random.pick(apis))),
  ...cuts('chargers and gateway', ({ gateways }, random) => chargersOf(random.pick(gateways))),
];

/** Those that can be made here: a server that is only used is not killed. */
export function possibleFaults(): readonly Fault[] {
  const [rabbit, documents] = [findRabbitServer().source, findDocumentServer().source];
  return ALL.filter(({ server }) => {
    if (server === 'RabbitMQ') return rabbit === 'program' || rabbit === 'container';
    return server === undefined || documents === 'program';
  });
}

type Choose<T> = (network: Network, random: Random) => T;

function endings(who: string, choose: Choose<Node>): Fault[] {
  return [
    {
      name: `SIGKILL of ${who}`,
      run: async (network, random) => {
        const node = choose(network, random);
        await node.end('SIGKILL');
        await node.start();
      },
    },
    {
      name: `SIGTERM of ${who}`,
      run: async (network, random) => {
        const node = choose(network, random);
        const code = await node.end('SIGTERM');
        if (code !== 0) throw new Error(`${node.name} ended with ${String(code)} on SIGTERM`);
        await node.start();
      },
    },
  ];
}

async function restartAll(nodes: readonly Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await Promise.all(nodes.map((node) => node.start()));
}

/** The server comes back first: a process does not start without it. */
async function killTogether(server: Pick<PrivateServer, 'kill' | 'restart'>, node: Node): Promise<void> {
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

interface Pausable {
  pause(): void;
  resume(): void;
}

function pausable(node: Node): Pausable {
  return { pause: () => node.program().signal('SIGSTOP'), resume: () => node.program().signal('SIGCONT') };
}

function pauses(who: string, choose: Choose<Pausable>): Fault[] {
  return [
    {
      name: `SIGSTOP of ${who} for 20 s, and SIGCONT`,
      slow: true,
      run: async (network, random) => {
        const paused = choose(network, random);
        paused.pause();
        try {
          await last(SILENCE_MS);
        } finally {
          paused.resume();
        }
      },
    },
  ];
}

interface Breakable {
  cut(): void;
  blackHole(): void;
  heal(): void;
}

function cuts(between: string, choose: Choose<Breakable>): Fault[] {
  const broken = async (proxy: Breakable, breakIt: () => void, ms: number): Promise<void> => {
    breakIt();
    await last(ms);
    proxy.heal();
  };
  return [
    {
      name: `a cut between ${between}`,
      run: (network, random) => {
        const proxy = choose(network, random);
        return broken(proxy, proxy.cut, CUT_MS);
      },
    },
    {
      name: `a half-open connection between ${between}`,
      slow: true,
      run: (network, random) => {
        const proxy = choose(network, random);
        return broken(proxy, proxy.blackHole, SILENCE_MS);
      },
    },
  ];
}

function storeOf({ name, proxies }: Node): Breakable {
  if (proxies.store === undefined) throw new Error(`${name} has no store`);
  return proxies.store;
}

function chargersOf({ name, proxies }: Node): Breakable {
  if (proxies.chargers === undefined) throw new Error(`${name} has no chargers`);
  return proxies.chargers;
}

/** For a fault that is its duration. */
function last(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Everything says of itself that it can work: after this, what is wrong is wrong. */
export async function untilReady(network: Network): Promise<void> {
  await Promise.all(
    network.nodes().map((node) =>
      eventually(
        () =>
          node
            .program()
            .ready()
            .then(() => true),
        60_000,
      ),
    ),
  );
}
