// Webhooks over the whole way: a charger, the service in both ways of running, and a receiver as an integrator writes it, which are killed.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithServers, eventually, freePort } from '@busbar/testing';
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
import { installReceivers, startReceiver, storedEvents, type ReceivedEvent, type Receiver } from './harness/receiver';
import { uniqueId } from './harness/world';

const START_MS = 120_000;
const DAY_MS = 240_000;
const ALL_TYPES = ['*', 'socket.state_reported', 'meter.values'];
const NOTHING = 'nothing';
const RECEIVER = 'the receiver';
const TAG = 'WHOLE-DAY';
/** More than the refused events in a row by which a webhook counts as failing. */
const CHARGERS = 30;

describe('webhooks in one process', () => describeWebhooks(openOneProcess, ONE_PROCESS));
describeWithServers('webhooks in five processes', () => describeWebhooks(openProcesses, [...PROCESSES, ...SERVERS]));

function describeWebhooks(open: () => Promise<WebhookWorld>, processes: readonly string[]): void {
  let world: WebhookWorld;
  let directory: string;
  let siteId: number;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-webhooks-'));
    world = await open();
    siteId = ((await post('/sites', { name: 'Harbour' })) as { id: number }).id;
    await post('/tags', { idTag: TAG });
  }, START_MS);
  afterAll(async () => {
    await world.stop();
    rmSync(directory, { recursive: true });
  }, START_MS);

  async function post(path: string, body: unknown): Promise<unknown> {
    const reply = await world.v2(path, { method: 'POST', body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.json;
  }

  async function register(): Promise<string> {
    const chargerId = uniqueId('HOOK');
    await post('/chargers', { chargerId, name: 'Quay', siteId });
    return chargerId;
  }

  /** The feed of a charger, in its order. */
  const feedOf = (chargerId: string) => readFeed((path) => world.v2(path), `chargerIds=${chargerId}`);

  describe('to a receiver in TypeScript', () => {
    let receiver: Receiver;
    let restart: () => Promise<void>;
    let file: string;
    beforeAll(async () => {
      const [installed] = installReceivers();
      if (installed === undefined) throw new Error('there is no receiver');
      file = join(directory, 'events.jsonl');
      const port = await freePort();
      const url = `http://127.0.0.1:${String(port)}/`;
      const { secret } = (await post('/webhooks', { url, types: ALL_TYPES })) as { secret: string };
      receiver = await startReceiver(installed, { secret, file, port });
      restart = async () => {
        await receiver.program.end('SIGKILL');
        receiver = await startReceiver(installed, { secret, file, port });
      };
    }, START_MS);
    afterAll(() => receiver.program.end('SIGKILL'));

    it.each([NOTHING, ...processes, RECEIVER])(
      'brings the whole day of a charger, in order, with SIGKILL of %s',
      async (killed) => {
        const chargerId = await register();
        const charger = createPatientCharger(`${world.chargers}${chargerId}`);
        await startDay(charger);
        const session = await startSession(charger);
        const kill = killed === NOTHING ? undefined : killed === RECEIVER ? restart() : world.kill(killed);
        await chargeAndStop(charger, session);
        await kill;
        await charger.reconnect();
        await startDay(charger);
        await charger.close();

        const feed = await eventually(async () => {
          const events = await feedOf(chargerId);
          const received = storedEvents(file).filter((event) => event.chargerId === chargerId);
          expect(received).toEqual(events);
          return lastState(events) === 'Offline' && events;
        }, 60_000);
        expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, index) => index + 1));
        expect(feed.filter(({ type }) => type.startsWith('session.'))).toMatchObject([
          { type: 'session.started', data: { rfidTag: TAG, transactionId: session } },
          { type: 'session.ended', data: { transactionId: session, consumptionWh: 7_000, superseded: false } },
        ]);
        const types = new Set(feed.map(({ type }) => type));
        for (const type of ['charger.booted', 'charger.connected', 'meter.values', 'charger.disconnected']) {
          expect(types).toContain(type);
        }
        expect(receiver.lines().filter((line) => line.startsWith('gap'))).toEqual([]);
      },
      DAY_MS,
    );
  });

  describe('to a receiver of the test', () => {
    let refuses: (event: ReceivedEvent) => boolean;
    let arrived: Arrival[];
    let server: Server;
    let webhookId: string;
    beforeEach(async () => {
      refuses = () => false;
      arrived = [];
      server = createServer((request, response) => {
        void textOf(request).then((text) => {
          const event = JSON.parse(text) as ReceivedEvent;
          const isAccepted = !refuses(event);
          arrived.push({ event, text, headers: request.headers, isAccepted });
          response.writeHead(isAccepted ? 204 : 500).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    async function subscribe(settings: Readonly<Record<string, unknown>>): Promise<void> {
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
      ({ id: webhookId } = (await post('/webhooks', { url, ...settings })) as { id: string });
    }
    afterEach(async () => {
      await world.v2(`/webhooks/${webhookId}`, { method: 'DELETE' });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const acceptedOf = (chargerId: string): readonly ReceivedEvent[] => {
      const first = new Map<string, ReceivedEvent>();
      for (const { event, isAccepted } of arrived) if (isAccepted && !first.has(event.id)) first.set(event.id, event);
      return [...first.values()].filter((event) => event.chargerId === chargerId);
    };
    const parked = async () =>
      ((await world.v2(`/webhooks/${webhookId}/parked`)).json as { items: readonly { eventId: string }[] }).items;
    const rename = (chargerId: string, name: string) =>
      world.v2(`/chargers/${chargerId}`, { method: 'PATCH', body: { name } });

    it(
      'dead-letters an event that is refused each time, and delivers the later ones; no other charger waits',
      async () => {
        await subscribe({ types: ALL_TYPES });
        const [bad, good] = [await register(), await register()];
        refuses = ({ chargerId, sequence }) => chargerId === bad && sequence === 2;
        for (const chargerId of [bad, good]) for (const name of ['B', 'C', 'D']) await rename(chargerId, name);
        await eventually(() => acceptedOf(good).length === 4);
        expect(acceptedOf(bad).map(({ sequence }) => sequence)).toEqual([1]);
        expect(await parked()).toEqual([]);

        const [letter, ...others] = await eventually(async () => {
          const letters = await parked();
          return letters.length > 0 && letters;
        }, 60_000);
        const [, refused] = await feedOf(bad);
        expect([letter, others]).toMatchObject([{ eventId: refused?.id, attempts: 6, lastError: 'http_500' }, []]);
        await eventually(() => acceptedOf(bad).length === 3);
        expect(acceptedOf(bad).map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
        expect(arrived.filter(({ event }) => event.id === refused?.id)).toHaveLength(6);

        refuses = () => false;
        await post(`/webhooks/${webhookId}/redeliver`, { eventIds: [refused?.id] });
        await eventually(async () => (await parked()).length === 0);
        expect(acceptedOf(bad).map(({ sequence }) => sequence)).toEqual([1, 3, 4, 2]);
      },
      DAY_MS,
    );

    it(
      'dead-letters nothing while everything is refused for 20 s, and delivers everything in order afterwards',
      async () => {
        await subscribe({ types: ALL_TYPES });
        refuses = () => true;
        const until = Date.now() + 20_000;
        const chargers = await Promise.all(Array.from({ length: CHARGERS }, register));
        await Promise.all(chargers.map((chargerId) => rename(chargerId, 'Second')));
        await eventually(async () => {
          const { json } = await world.v2(`/webhooks/${webhookId}`);
          return (json as { status: string }).status === 'failing';
        });
        await eventually(() => Date.now() > until, 30_000);
        expect(await parked()).toEqual([]);
        refuses = () => false;
        for (const chargerId of chargers) {
          await eventually(() => acceptedOf(chargerId).length === 2, 60_000);
          expect(acceptedOf(chargerId)).toEqual(await feedOf(chargerId));
        }
        expect(await parked()).toEqual([]);
      },
      DAY_MS,
    );

    it.each(['push-v1', 'push-v2'])(
      'brings a session in the format %s, of the charger whose owner enabled it',
      async (format) => {
        const authorization = 'Bearer of the receiver';
        await subscribe({ format, authorization, description: 'Billing' });
        const [pushed, silent] = [await register(), await register()];
        const fields = {
          pushIntegrationEnabled: true,
          integrationRelays: ['Billing'],
          sockets: [{ id: 1, name: 'Left' }],
        };
        await world.v2(`/chargers/${pushed}`, { method: 'PATCH', body: fields });
        for (const chargerId of [silent, pushed]) {
          const charger = createPatientCharger(`${world.chargers}${chargerId}`);
          await startDay(charger);
          await chargeAndStop(charger, await startSession(charger));
          await charger.close();
        }
        const bodies = () => arrived.map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>);
        await eventually(() => arrived.length > 1 && bodies().at(-1)?.['status'] === 'Offline');
        expect(new Set(bodies().map(({ chargerId }) => chargerId))).toEqual(new Set([pushed]));
        expect(new Set(arrived.map(({ headers }) => headers['authorization']))).toEqual(new Set([authorization]));
        const ids = arrived.map(({ headers }) => headers['webhook-id']);
        expect(new Set(ids).size).toBe(ids.length);
        expect(
          bodies()
            .map(kindOf)
            .filter((kind, n, all) => kind !== all[n - 1]),
        ).toEqual([
          // Of a socket that was never reported.
          'Offline',
          'ChargerBoot',
          'Available',
          'Preparing',
          'transaction_start',
          'Charging',
          'Measurements',
          ...(format === 'push-v1' ? ['transaction_stop'] : []),
          'FullChargingTransaction',
          'Finishing',
          'Available',
          'Offline',
        ]);
      },
      DAY_MS,
    );
  });
}

function kindOf(body: Readonly<Record<string, unknown>>): unknown {
  if ('chargerModel' in body) return 'ChargerBoot';
  if ('measurements' in body) return 'Measurements';
  return 'meterReadEnd' in body ? 'FullChargingTransaction' : (body['status'] ?? body['action']);
}

interface Arrival {
  readonly event: ReceivedEvent;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly isAccepted: boolean;
}

async function startDay(charger: PatientCharger): Promise<void> {
  await charger.ask('BootNotification', { chargePointVendor: 'Example', chargePointModel: 'Two sockets' });
  await status(charger, 'Available');
}

/** Resolves with its transaction id. */
async function startSession(charger: PatientCharger): Promise<unknown> {
  await status(charger, 'Preparing');
  await charger.ask('Authorize', { idTag: TAG });
  const start = { connectorId: 1, idTag: TAG, meterStart: 1_000, timestamp: now() };
  const { transactionId } = await charger.ask('StartTransaction', start);
  await status(charger, 'Charging');
  return transactionId;
}

async function chargeAndStop(charger: PatientCharger, transactionId: unknown): Promise<void> {
  for (let wh = 2_000; wh < 8_000; wh += 500) {
    const meterValue = [{ timestamp: now(), sampledValue: [{ value: String(wh) }] }];
    await charger.ask('MeterValues', { connectorId: 1, transactionId, meterValue });
  }
  await charger.ask('StopTransaction', { transactionId, meterStop: 8_000, timestamp: now(), idTag: TAG });
  await status(charger, 'Finishing');
  await status(charger, 'Available');
}

async function status(charger: PatientCharger, state: string): Promise<void> {
  const message = { connectorId: 1, status: state, errorCode: 'NoError', timestamp: now() };
  await charger.ask('StatusNotification', message);
}

function lastState(events: readonly ReceivedEvent[]): unknown {
  return events.findLast(({ type }) => type === 'charger.state_changed')?.data['state'];
}

function now(): string {
  return new Date().toISOString();
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
