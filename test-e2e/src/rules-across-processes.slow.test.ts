// Tests the rules that need more than one process: two gateways, two charger-states, real servers
// that pause and resume.
import { delay, systemClock } from '@busbar/core';
import { supportedVersions } from '@busbar/ocpp';
import {
  connectCharger,
  eventually,
  findDocumentServer,
  findRabbitServer,
  UpgradeRejected,
  type ScriptedCharger,
} from '@busbar/testing';
import { API_KEY, openNetwork, type Network, type Node } from './faults/network';
import { http, type HttpReply } from './harness/http';
import { uniqueId } from './harness/world';

const START_MS = 120_000;
const VERSIONS = supportedVersions();
/** The lease and what it takes to notice; the promise is 20 s. */
const TRUE_WITHIN_MS = 40_000;

function boot(charger: ScriptedCharger, version: string): Promise<unknown> {
  return version === 'ocpp1.6' ? charger.boot() : charger.v2.boot();
}

/** A decision of each version that begins a session. */
function startOf(version: string): readonly [action: string, payload: Readonly<Record<string, unknown>>] {
  const timestamp = new Date().toISOString();
  if (version === 'ocpp1.6') return ['StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp }];
  const idToken = { idToken: 'TAG', type: 'Central' };
  const transactionInfo = { transactionId: uniqueId('TX') };
  const event = { eventType: 'Started', triggerReason: 'Authorized', seqNo: 0, evse: { id: 1, connectorId: 1 } };
  return ['TransactionEvent', { ...event, timestamp, idToken, transactionInfo }];
}

const missing = [findRabbitServer(), findDocumentServer()].find((found) => found.source === 'none');
const isRequired = process.env['REQUIRE_REAL_SERVERS'] === '1';

(missing === undefined || isRequired ? describe : describe.skip)('two gateways and two charger-states', () => {
  let network: Network;
  beforeAll(async () => {
    if (missing !== undefined) throw new Error(missing.reported);
    network = await openNetwork({ gateways: 2, replicas: 2 });
  }, START_MS);
  afterAll(() => network.stop(), START_MS);

  async function v2(path: string, body?: unknown): Promise<HttpReply> {
    const method = body === undefined ? 'GET' : 'POST';
    return http(`${await network.v2()}${path}`, { method, headers: { 'x-api-key': API_KEY }, body });
  }

  async function register(): Promise<string> {
    const chargerId = uniqueId('RULE');
    await v2('/sites', { name: 'A site' });
    expect((await v2('/chargers', { name: 'A charger', chargerId })).status).toBe(200);
    return chargerId;
  }

  const gateway = (number: 0 | 1): Node => {
    const node = network.gateways[number];
    if (node === undefined) throw new Error('there are two gateways');
    return node;
  };
  const connectAt = (number: 0 | 1, chargerId: string, version = 'ocpp1.6'): Promise<ScriptedCharger> =>
    connectCharger({
      url: `ws://127.0.0.1:${String(gateway(number).proxies.chargers?.port)}/ocpp/${chargerId}`,
      subprotocols: [version],
    });
  /** As a charger does: after a 503 it tries once more, when Retry-After says. */
  const reconnectAt = async (number: 0 | 1, chargerId: string, version: string): Promise<ScriptedCharger> => {
    try {
      return await connectAt(number, chargerId, version);
    } catch (error) {
      if (!(error instanceof UpgradeRejected) || error.status !== 503) throw error;
      await delay(systemClock, Number(error.headers['retry-after']) * 1_000);
      return connectAt(number, chargerId, version);
    }
  };
  const isActive = async (chargerId: string): Promise<boolean> =>
    (await v2(`/chargers/${chargerId}`)).text.includes('"activeConnection":true');
  const sessionsOf = async (chargerId: string): Promise<readonly unknown[]> =>
    ((await v2(`/sessions?chargerIds=${chargerId}`)).json as { items: unknown[] }).items;

  it.each(VERSIONS)(
    '14. keeps the newest of two connections on two gateways, and never shows the charger disconnected: %s',
    async (version) => {
      const chargerId = await register();
      const first = await connectAt(0, chargerId, version);
      await eventually(() => isActive(chargerId));
      const seen: boolean[] = [];
      const over = new AbortController();
      const watching = (async () => {
        while (!over.signal.aborted) seen.push(await isActive(chargerId));
      })();
      const second = await connectAt(1, chargerId, version);
      expect(await first.waitForClose()).toMatchObject({ code: 1000 });
      await second.heartbeat();
      const soFar = seen.length;
      await eventually(() => seen.length > soFar + 20);
      over.abort();
      await watching;
      expect(seen).not.toContain(false);
      expect(second.closed()).toBeUndefined();
      await second.close();
      await eventually(async () => !(await isActive(chargerId)));
    },
  );

  it('15. replaces a half-open connection on one gateway by one on the other, which gets commands at once, of each version', async () => {
    const ofEach = VERSIONS.map(async (version) => {
      const chargerId = await register();
      return { version, chargerId, first: await connectAt(0, chargerId, version) };
    });
    const chargers = await Promise.all(ofEach);
    await eventually(async () =>
      (await Promise.all(chargers.map(({ chargerId }) => isActive(chargerId)))).every(Boolean),
    );
    gateway(0).proxies.chargers?.blackHole();
    try {
      const replaced = chargers.map(async ({ version, chargerId, first }) => {
        const second = await connectAt(1, chargerId, version);
        await boot(second, version);
        await second.waitForCall(version === 'ocpp1.6' ? 'GetConfiguration' : 'GetBaseReport');
        const { status, text } = await v2(`/chargers/${chargerId}/clear-cache`, {});
        expect([status, text]).toEqual([200, expect.stringContaining('"status":"Accepted"')]);
        expect(second.received.map(({ action }) => action)).toContain('ClearCache');
        expect(first.received).toEqual([]);
        expect(await isActive(chargerId)).toBe(true);
        await second.close();
      });
      await Promise.all(replaced);
    } finally {
      gateway(0).proxies.chargers?.heal();
      for (const { first } of chargers) first.terminate();
    }
  });

  it('17. shows chargers of a killed gateway as disconnected, and none as connected that is not', async () => {
    const [on, off] = await Promise.all([0, 1].map(() => Promise.all(VERSIONS.map(register))));
    if (on === undefined || off === undefined) throw new Error('there are two lists');
    const allAt = (number: 0 | 1, ids: readonly string[]) =>
      Promise.all(ids.map((chargerId, n) => connectAt(number, chargerId, VERSIONS[n])));
    const actives = (ids: readonly string[]) => Promise.all(ids.map(isActive));
    const stay = await allAt(1, on);
    const die = await allAt(0, off);
    await eventually(async () => (await actives([...on, ...off])).every(Boolean));
    await gateway(0).end('SIGKILL');
    await Promise.all(die.map((charger) => charger.waitForClose()));
    await eventually(async () => !(await actives(off)).includes(true), TRUE_WITHIN_MS);
    await gateway(0).start();
    expect([await actives(on), await actives(off)]).toEqual([on.map(() => true), off.map(() => false)]);
    const back = await allAt(0, off);
    await eventually(async () => (await actives(off)).every(Boolean));
    await Promise.all([...stay, ...back].map((charger) => charger.close()));
  }, 120_000);

  it('18. admits all chargers of a killed gateway at the other when they reconnect at once', async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => register()));
    const versionOf = (n: number): string => VERSIONS[n % VERSIONS.length] ?? '';
    const before = await Promise.all(ids.map((chargerId, n) => connectAt(0, chargerId, versionOf(n))));
    await gateway(0).end('SIGKILL');
    await Promise.all(before.map((charger) => charger.waitForClose()));
    const after = await Promise.all(ids.map((chargerId, n) => reconnectAt(1, chargerId, versionOf(n))));
    await Promise.all(after.map((charger) => charger.heartbeat()));
    await gateway(0).start();
    await eventually(async () => (await Promise.all(ids.map(isActive))).every(Boolean), TRUE_WITHIN_MS);
    await Promise.all(after.map((charger) => charger.close()));
  }, 240_000);

  it.each(['rabbit', 'documents'] as const)(
    '69. acknowledges nothing falsely while the server of %s is suspended, and stores a resent message once, of each version',
    async (server) => {
      const ofEach = VERSIONS.map(async (version) => {
        const chargerId = await register();
        const charger = await connectAt(1, chargerId, version);
        await boot(charger, version);
        return { chargerId, charger, start: startOf(version) };
      });
      const chargers = await Promise.all(ofEach);
      network[server].pause();
      let outcomes: readonly Awaited<ReturnType<ScriptedCharger['call']>>[];
      try {
        outcomes = await Promise.all(chargers.map(({ charger, start }) => charger.call(...start)));
      } finally {
        network[server].resume();
      }
      expect(outcomes).toMatchObject(VERSIONS.map(() => ({ kind: 'error', code: 'InternalError' })));
      const resent = chargers.map(async ({ chargerId, charger, start }) => {
        const answer = await eventually(async () => {
          const again = await charger.call(...start);
          return again.kind === 'result' ? again.payload : undefined;
        }, 60_000);
        expect(await charger.ask(...start)).toEqual(answer);
        expect(await sessionsOf(chargerId)).toHaveLength(1);
        expect(charger.closed()).toBeUndefined();
        await charger.close();
      });
      await Promise.all(resent);
    },
    180_000,
  );
});
