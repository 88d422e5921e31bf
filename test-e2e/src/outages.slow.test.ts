// Outages as clients of the HTTP APIs see them: processes as in production, on servers that are killed.
import {
  connectCharger,
  eventually,
  findDocumentServer,
  findRabbitServer,
  type ScriptedCharger,
} from '@busbar/testing';
import { API_KEY, CLIENT_ID, openNetwork, type Network, type Node } from './faults/network';
import { http, type HttpCall, type HttpReply } from './harness/http';
import { readMetric } from './harness/metrics';
import { uniqueId } from './harness/world';

const START_MS = 120_000;
const FAULT_MS = 180_000;
const YOUNG_QUEUES_MS = 6_000;

const found = [findRabbitServer(), findDocumentServer()];
const missing = found.find(({ source }) => source === 'none');
// Only a server that the test has started may be killed.
const isOurs = found.every(({ source }) => source === 'program');

describe('the processes', () => {
  if (missing !== undefined || !isOurs) {
    const why = missing?.reported ?? 'the servers are not programs of the test and cannot be killed';
    if (missing !== undefined && process.env['REQUIRE_REAL_SERVERS'] === '1') {
      it('needs real servers', () => {
        throw new Error(why);
      });
      return;
    }
    it.skip(`is skipped: ${why}`, () => undefined);
    return;
  }
  let network: Network;
  let charger: ScriptedCharger;
  let declaredAt = 0;
  const chargerId = uniqueId('AWAY');

  beforeAll(async () => {
    network = await openNetwork({ gateways: 1, replicas: 1 });
    declaredAt = Date.now();
    const site = await v2('/sites', 'POST', { name: 'A site' });
    const siteId = (site.json as { id: number }).id;
    await v2('/chargers', 'POST', { chargerId, name: 'A charger', siteId });
    charger = await connectCharger({ url: `${network.chargerAddresses()[0] ?? ''}${chargerId}` });
    await eventually(async () => (await v2(`/chargers/${chargerId}`)).text.includes('"activeConnection":true'));
  }, START_MS);
  afterAll(() => network.stop(), START_MS);

  async function ask(node: Node, path: string, call: HttpCall): Promise<HttpReply> {
    const { host, port } = await node.program().bound('public');
    return http(`https://${host}:${String(port)}${path}`, call);
  }
  const v2 = (path: string, method = 'GET', body?: unknown) =>
    ask(network.apis[0], `/v2${path}`, { method, headers: { 'x-api-key': API_KEY }, body });
  const older = (path: string, method = 'GET', body?: unknown) =>
    ask(network.apis[1], `/api${path}?code=${API_KEY}&clientId=${CLIENT_ID}`, { method, body });
  const readiness = async (node: Node): Promise<number> => {
    const { host, port } = await node.program().bound('internal');
    return (await http(`http://${host}:${String(port)}/readyz`)).status;
  };
  const shown = ({ status, headers }: HttpReply) => [status, Number(headers['retry-after']) > 0];
  const metric = async (node: Node, name: string): Promise<number> => readMetric(await node.metrics(), name);

  it(
    'serves reads in both APIs without RabbitMQ, refuses commands with 503 and Retry-After, keeps connections, and works afterwards',
    async () => {
      expect((await v2(`/chargers/${chargerId}/reset`, 'POST', { type: 'Soft' })).status).toBe(200);
      await eventually(() => Date.now() - declaredAt > YOUNG_QUEUES_MS);
      await network.rabbit.kill();
      const [api] = network.apis;
      await eventually(async () => (await metric(api, 'busbar_broker_up')) === 0);
      await eventually(async () => (await metric(network.apis[1], 'busbar_broker_up')) === 0);

      expect((await v2(`/chargers/${chargerId}`)).status).toBe(200);
      expect((await older(`/charger/${chargerId}`)).status).toBe(200);
      expect(shown(await v2(`/chargers/${chargerId}/reset`, 'POST', { type: 'Soft' }))).toEqual([503, true]);
      expect(shown(await older(`/charger/reboot/${chargerId}`, 'POST', { type: 'Soft' }))).toEqual([503, true]);
      // A client that sends requests to ready processes still finds those that read.
      for (const node of network.apis) expect(await readiness(node)).toBe(200);
      for (const node of network.replicas) expect(await readiness(node)).toBe(503);
      // Unready gateways might lose the sockets that they keep open.
      for (const node of network.gateways) {
        await eventually(async () => (await metric(node, 'busbar_broker_up')) === 0);
        expect(await readiness(node)).toBe(200);
      }
      expect(charger.closed()).toBeUndefined();

      await network.rabbit.restart();
      await eventually(async () => {
        const reply = await v2(`/chargers/${chargerId}/reset`, 'POST', { type: 'Soft' });
        return reply.status === 200;
      }, 60_000);
      expect(charger.closed()).toBeUndefined();
      expect(await charger.heartbeat()).toHaveProperty('currentTime');
    },
    FAULT_MS,
  );

  it(
    'responds 503 with Retry-After in both APIs without the document server, answers reports, and defers a new charger',
    async () => {
      await network.documents.kill();
      for (const node of network.apis) await eventually(async () => (await metric(node, 'busbar_store_up')) === 0);
      for (let n = 0; n < 50; n += 1) {
        expect(shown(await v2(`/chargers/${chargerId}`))).toEqual([503, true]);
        expect(shown(await older(`/charger/${chargerId}`))).toEqual([503, true]);
      }
      for (const node of network.apis) expect(await readiness(node)).toBe(503);
      expect(await charger.heartbeat()).toHaveProperty('currentTime');
      await expect(connectCharger({ url: `${network.chargerAddresses()[0] ?? ''}${chargerId}` })).rejects.toMatchObject(
        { status: 503 },
      );

      await network.documents.restart();
      await eventually(async () => (await v2(`/chargers/${chargerId}`)).status === 200, 60_000);
      // Each process connects again by itself, and it is charger-state that judges the tag.
      for (const node of network.replicas) await eventually(async () => (await readiness(node)) === 200, 60_000);
      expect(await charger.call('Authorize', { idTag: 'UNKNOWN' })).toMatchObject({ kind: 'result' });
      expect(charger.closed()).toBeUndefined();
    },
    FAULT_MS,
  );

  it(
    'serves reads in both APIs without charger-state, answers reports, and applies them when it returns',
    async () => {
      const [replica] = network.replicas;
      if (replica === undefined) throw new Error('no charger-state');
      await replica.end('SIGTERM');
      expect((await v2(`/chargers/${chargerId}`)).status).toBe(200);
      const status = { connectorId: 1, errorCode: 'NoError', status: 'Faulted', timestamp: new Date().toISOString() };
      expect(await charger.call('StatusNotification', status, 'meanwhile')).toMatchObject({ kind: 'result' });
      await replica.start();
      await eventually(async () => (await v2(`/chargers/${chargerId}`)).text.includes('meanwhile'));
    },
    FAULT_MS,
  );
});
