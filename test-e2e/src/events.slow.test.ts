// The feed and webhooks over the whole way under the load of a network, while every process and server is killed in turn, and while one
// receiver is unreachable.
import { describeWithServers, eventually, freePort, openReceiver, type Receiver } from '@busbar/testing';
import { followByPage, followByStream, type FeedFollower } from './faults/feed-followers';
import { createPatientCharger, type PatientCharger } from './faults/patient-charger';
import {
  ONE_PROCESS,
  openOneProcess,
  openProcesses,
  PROCESSES,
  SERVERS,
  type WebhookWorld,
} from './faults/webhook-world';
import { readFeed } from './harness/feed';
import type { ReceivedEvent } from './harness/receiver';
import { uniqueId } from './harness/world';

const START_MS = 120_000;
const LOAD_MS = 60_000;
const TEST_MS = 420_000;
const DRAINED_MS = 180_000;
const CHARGERS = 200;
const MAX_REGISTRATIONS = 20;
const PACE_MS = 2_000;
const TAG = 'NETWORK';
const ALL_TYPES = '*,socket.state_reported,meter.values';

describe('events in one process', () => describeEvents(openOneProcess, ONE_PROCESS));
describeWithServers('events in five processes', () => describeEvents(openProcesses, [...PROCESSES, ...SERVERS]));

function describeEvents(open: () => Promise<WebhookWorld>, killed: readonly string[]): void {
  let world: WebhookWorld;
  let siteId: number;
  beforeAll(async () => {
    world = await open();
    siteId = ((await post('/sites', { name: 'Harbour' })) as { id: number }).id;
    await post('/tags', { idTag: TAG });
  }, START_MS);
  afterAll(() => world.stop(), START_MS);

  async function post(path: string, body: unknown): Promise<unknown> {
    const reply = await world.v2(path, { method: 'POST', body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.json;
  }

  async function register(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => uniqueId('EVENT'));
    for (let n = 0; n < count; n += MAX_REGISTRATIONS) {
      const some = ids.slice(n, n + MAX_REGISTRATIONS);
      await Promise.all(some.map((chargerId) => post('/chargers', { chargerId, name: 'Quay', siteId })));
    }
    return ids;
  }

  async function subscribe(receiver: Receiver, settings: object): Promise<string> {
    const types = ALL_TYPES.split(',');
    return ((await post('/webhooks', { url: receiver.url, types, ...settings })) as { id: string }).id;
  }

  /** The feed of each of these chargers, when all have left and the feed says so. */
  function feedsOf(chargerIds: readonly string[]): Promise<ReadonlyMap<string, readonly ReceivedEvent[]>> {
    return eventually(async () => {
      const feeds = new Map(chargerIds.map((chargerId) => [chargerId, [] as ReceivedEvent[]]));
      for (const event of await readFeed((path) => world.v2(path), `types=${ALL_TYPES}`)) {
        feeds.get(event.chargerId ?? '')?.push(event);
      }
      const haveLeft = [...feeds.values()].every(
        (feed) => lastOf(feed, 'charger.state_changed')?.data['state'] === 'Offline',
      );
      return haveLeft && feeds;
    }, DRAINED_MS);
  }

  /** Chargers that report, charge and reconnect until the time is over; each then leaves. */
  async function live(chargerIds: readonly string[], untilMs: number): Promise<void> {
    await Promise.all(
      chargerIds.map(async (chargerId, n) => {
        const charger = createPatientCharger(`${world.chargers}${chargerId}`);
        for (let round = n; Date.now() < untilMs; round += 1) await liveOnce(charger, round);
        await charger.close();
      }),
    );
  }

  it(
    '1: reach every reader and receiver in order, by number, through SIGKILL of each process and server',
    async () => {
      const followers = [await followByPage(world, ALL_TYPES), await followByStream(world, ALL_TYPES)] as const;
      const receivers = [await openReceiver(), await openReceiver()] as const;
      await subscribe(receivers[0], { ordering: 'charger' });
      await subscribe(receivers[1], { ordering: 'none' });
      const chargerIds = await register(CHARGERS);
      const untilMs = Date.now() + LOAD_MS;
      const lived = live(chargerIds, untilMs);
      for (const name of killed) {
        await pace(LOAD_MS / (2 * killed.length));
        await world.kill(name);
      }
      await lived;

      for (const [chargerId, feed] of await feedsOf(chargerIds)) {
        expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, n) => n + 1));
        await agreesWithRecord(chargerId, feed);
        const ids = feed.map(({ id }) => id);
        for (const { events } of followers) {
          await eventually(() => idsOf(events, chargerId).length >= ids.length, DRAINED_MS);
          expect(idsOf(events, chargerId)).toEqual(ids);
        }
        const [ordered, unordered] = receivers.map((each) => () => acceptedOf(each.requests, chargerId));
        await eventually(() => ordered?.().length === ids.length && unordered?.().length === ids.length, DRAINED_MS);
        expect(ordered?.()).toEqual(ids);
        expect(unordered?.().toSorted()).toEqual(ids.toSorted());
      }
      await endAll(followers, receivers);
    },
    TEST_MS,
  );

  async function agreesWithRecord(chargerId: string, feed: readonly ReceivedEvent[]): Promise<void> {
    const record = (await world.v2(`/chargers/${chargerId}`)).json as Readonly<Record<string, unknown>>;
    expect(record['activeConnection']).toBe(false);
    expect(feed.findLast(({ type }) => /^charger\.(dis)?connected$/.test(type))?.type).toBe('charger.disconnected');
    expect(lastOf(feed, 'charger.state_changed')?.data['state']).toBe(record['state']);
    // What a charger reports last, before it leaves.
    expect(lastOf(feed, 'socket.state_changed')?.data['state']).toBe('Available');
    const sockets = record['sockets'] as readonly { readonly id: number; readonly status: string }[];
    const shown = sockets.map(({ id, status }) => ({ socketId: id, state: status }));
    expect(lastOf(feed, 'charger.disconnected')?.data['sockets']).toEqual(shown);
  }

  it(
    '2: reach one receiver as fast while another is unreachable for 20 s, which then gets all of them in order',
    async () => {
      const port = await freePort();
      const healthy = await openReceiver();
      let other = await openReceiver(port);
      const chargerIds = await register(20);
      const settings = { chargerIds };
      await subscribe(healthy, settings);
      const webhookId = await subscribe(other, settings);
      const arrived: Receiver['requests'][number][] = [];
      const lived = live(chargerIds, Date.now() + 40_000);
      await pace(10_000);
      const before = delaysOf(healthy.requests);
      await other.stop();
      arrived.push(...other.requests);
      const from = healthy.requests.length;
      await pace(20_000);
      const meanwhile = delaysOf(healthy.requests.slice(from));
      other = await openReceiver(port);
      await lived;
      for (const [chargerId, feed] of await feedsOf(chargerIds)) {
        const ids = feed.map(({ id }) => id);
        const accepted = () => acceptedOf([...arrived, ...other.requests], chargerId);
        await eventually(() => accepted().length >= ids.length - CREATED, DRAINED_MS);
        expect(accepted()).toEqual(ids.slice(CREATED));
      }
      expect(((await world.v2(`/webhooks/${webhookId}/parked`)).json as { items: unknown[] }).items).toEqual([]);
      expect(meanwhile.length).toBeGreaterThan(100);
      // A second, or three times what this machine took before.
      expect(quantile(meanwhile, 0.99)).toBeLessThan(Math.max(1_000, 3 * quantile(before, 0.99)));
      await endAll([], [healthy, other]);
    },
    TEST_MS,
  );

  async function endAll(followers: readonly FeedFollower[], receivers: readonly Receiver[]): Promise<void> {
    await Promise.all([...followers, ...receivers].map((each) => each.stop()));
    const { items } = (await world.v2('/webhooks')).json as { items: readonly { id: string }[] };
    for (const { id } of items) await world.v2(`/webhooks/${id}`, { method: 'DELETE' });
  }
}

/** `charger.created` is before the webhook. */
const CREATED = 1;

/** One of a boot, a session and statuses; every fifth time behind a new connection. */
async function liveOnce(charger: PatientCharger, round: number): Promise<void> {
  if (round % 5 === 0) {
    await charger.reconnect();
    await charger.ask('BootNotification', { chargePointVendor: 'Example', chargePointModel: 'One socket' });
  }
  if (round % 3 === 0) await charge(charger);
  else await status(charger, 'Available');
  await pace(PACE_MS);
}

async function charge(charger: PatientCharger): Promise<void> {
  await status(charger, 'Preparing');
  const start = { connectorId: 1, idTag: TAG, meterStart: 1_000, timestamp: now() };
  const { transactionId } = await charger.ask('StartTransaction', start);
  await status(charger, 'Charging');
  await pace(PACE_MS);
  const meterValue = [{ timestamp: now(), sampledValue: [{ value: '2000' }] }];
  await charger.ask('MeterValues', { connectorId: 1, transactionId, meterValue });
  await charger.ask('StopTransaction', { transactionId, meterStop: 3_000, timestamp: now(), idTag: TAG });
  await status(charger, 'Available');
}

async function status(charger: PatientCharger, state: string): Promise<void> {
  const message = { connectorId: 1, status: state, errorCode: 'NoError', timestamp: now() };
  await charger.ask('StatusNotification', message);
}

function idsOf(events: readonly ReceivedEvent[], chargerId: string): readonly string[] {
  return events.filter((event) => event.chargerId === chargerId).map(({ id }) => id);
}

/** Ids of the charger's events in the order of their first success. */
function acceptedOf(requests: Receiver['requests'], chargerId: string): readonly string[] {
  const own = requests.filter(({ event, status: answered }) => event.chargerId === chargerId && answered < 300);
  return [...new Set(own.map(({ event }) => event.id))];
}

function lastOf(events: readonly ReceivedEvent[], type: string): ReceivedEvent | undefined {
  return events.findLast((event) => event.type === type);
}

/** From the time that the service learned of an event until its first arrival, in milliseconds. */
function delaysOf(requests: Receiver['requests']): readonly number[] {
  return requests.map(({ event, atMs }) => atMs - Date.parse(event.timestamp));
}

function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(q * values.length)] ?? 0;
}

function now(): string {
  return new Date().toISOString();
}

/** The time between messages of a charger. */
function pace(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
