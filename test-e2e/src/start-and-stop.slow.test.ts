// The processes of the service need no order: each waits for the others that it needs, whichever starts first, and each works
// on unchanged for SHUTDOWN_DELAY_S after SIGTERM.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectCharger,
  describeWithServers,
  eventually,
  FREE_PORTS,
  startDocumentServer,
  startRabbitServer,
  type PrivateServer,
} from '@busbar/testing';
import { createLastingProgram, type LastingProgram } from './faults/lasting-program';
import { makeCertificate } from './harness/certificate';
import { http } from './harness/http';
import type { Program } from './harness/program';
import { uniqueId } from './harness/world';

const SERVICES = ['ocpp-gateway', 'charger-state', 'push', 'v2-api', 'legacy-api'] as const;
type Service = (typeof SERVICES)[number];

const START_MS = 120_000;
const TEST_MS = 180_000;
const API_KEY = 'order-key-0123456789abcdef';
/** Longer than the test: a second signal ends it. */
const DELAY = { SHUTDOWN_DELAY_S: '120' };

const ORDERS = coveringOrders(orders(SERVICES));

/** Of all orders, some in which any three services are in each order of theirs: what waits for what is between two, or by way of a third. */
function coveringOrders(all: readonly Service[][]): Service[][] {
  const missing = new Set(all.flatMap(triplesOf));
  const chosen: Service[][] = [];
  const gain = (order: Service[]): number => triplesOf(order).filter((triple) => missing.has(triple)).length;
  while (missing.size > 0) {
    const best = all.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    for (const triple of triplesOf(best)) missing.delete(triple);
    chosen.push(best);
  }
  return chosen;
}

function triplesOf(order: readonly Service[]): string[] {
  return order.flatMap((first, a) =>
    order.slice(a + 1).flatMap((second, b) => order.slice(a + b + 2).map((third) => [first, second, third].join())),
  );
}

function orders(services: readonly Service[]): Service[][] {
  if (services.length === 0) return [[]];
  return services.flatMap((first) => orders(services.filter((each) => each !== first)).map((rest) => [first, ...rest]));
}

describeWithServers('four processes', () => {
  let rabbit: PrivateServer;
  let documents: PrivateServer;
  let directory: string;
  let env: Readonly<Record<string, string>>;
  const running = new Map<Service, LastingProgram>();
  let starts: Promise<void>[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-orders-'));
    const [broker, store, pair] = await Promise.all([
      startRabbitServer(),
      startDocumentServer(),
      makeCertificate(directory),
    ]);
    [rabbit, documents] = [broker, store];
    env = {
      ...FREE_PORTS,
      HOST: '127.0.0.1',
      TLS_CERT_FILE: pair.certFile,
      TLS_KEY_FILE: pair.keyFile,
      BROKER_URL: broker.url,
      BOOTSTRAP_CLIENT_ID: 'order-client',
      BOOTSTRAP_API_KEY: API_KEY,
      DRAIN_S: '0',
    };
  }, START_MS);
  afterEach(async () => {
    await Promise.all([...running.values()].filter((each) => each.running()).map((each) => each.end('SIGINT')));
    await Promise.allSettled(starts);
    running.clear();
    starts = [];
  }, START_MS);
  afterAll(async () => {
    await Promise.all([rabbit.stop(), documents.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }, START_MS);

  /** On a store of its own: what the first starter prepares is prepared by each in turn. */
  function start(service: Service, database: string, more: Readonly<Record<string, string>> = {}): Program {
    const url = new URL(documents.url);
    url.pathname = `/${database}`;
    const program = createLastingProgram({ name: service, service, env: { ...env, STORE_URL: url.href, ...more } });
    running.set(service, program);
    starts.push(program.start());
    return program.program();
  }

  function program(service: Service): Program {
    const found = running.get(service);
    if (found === undefined) throw new Error(`${service} does not run`);
    return found.program();
  }

  async function address(service: Service, what: string): Promise<string> {
    const { host, port } = await program(service).bound(what);
    return `${host}:${String(port)}`;
  }

  async function v2(path: string, method = 'GET', body?: unknown) {
    return http(`https://${await address('v2-api', 'public')}/v2${path}`, {
      method,
      headers: { 'x-api-key': API_KEY },
      body,
    });
  }

  /** Registered, connected, shown as connected by both APIs, and not after its socket has closed. */
  async function useCharger(): Promise<void> {
    const chargerId = uniqueId('ORDER');
    const site = await v2('/sites', 'POST', { name: 'A site' });
    const siteId = (site.json as { id: number }).id;
    expect((await v2('/chargers', 'POST', { chargerId, name: 'A charger', siteId })).status).toBe(200);
    const charger = await connectCharger({ url: `ws://${await address('ocpp-gateway', 'plain')}/ocpp/${chargerId}` });
    await charger.boot();
    const isConnected = async (): Promise<boolean> =>
      (await v2(`/chargers/${chargerId}`)).text.includes('"activeConnection":true');
    await eventually(isConnected);
    const legacy = `https://${await address('legacy-api', 'public')}/api/charger/${chargerId}`;
    expect((await http(`${legacy}?code=${API_KEY}&clientId=order-client`)).status).toBe(200);
    await charger.close();
    await eventually(async () => !(await isConnected()));
  }

  it.each(ORDERS.map((order, n) => ({ order, names: order.join(', '), database: `order${String(n)}` })))(
    'becomes ready and works when started as $names',
    async ({ order, database }) => {
      for (const service of order) {
        // The next one starts when this one runs, ready or not.
        await start(service, database).bound('internal');
      }
      await Promise.all(starts);
      await useCharger();
    },
    TEST_MS,
  );

  it(
    'works on after SIGTERM for SHUTDOWN_DELAY_S: unready, but accepts new connections and requests',
    async () => {
      for (const service of SERVICES) start(service, 'delay', DELAY);
      await Promise.all(starts);
      for (const service of SERVICES) program(service).signal('SIGTERM');
      for (const service of SERVICES) {
        const internal = `http://${await address(service, 'internal')}`;
        await eventually(async () => (await http(`${internal}/readyz`)).status === 503);
        expect((await http(`${internal}/livez`)).status).toBe(200);
      }
      await useCharger();
    },
    TEST_MS,
  );
});
