// Two neighbouring versions of charger-state side by side under load, rolled forward, back and forward again. The newer one
// is made of this program: it has one more additive migration, and reads one more kind of report.
import type { BatchHandler, Broker } from '@busbar/broker';
import { channels, partitionOf, REPORT_VERSION, type ReportBatch, type ReportEnvelope } from '@busbar/contracts';
import { createIdSource, systemClock } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { createStoreSetup, isSettled, readSchema, SCHEMA_VERSION, type Migration } from '@busbar/runtime';
import {
  allCollections,
  and,
  createDeadLetterStore,
  eq,
  type CollectionDefinition,
  type Document,
} from '@busbar/store';
import { createHurriedClock, eventually } from '@busbar/testing';
import { openWorld, PARTITIONS, type FakeConnection, type OtherReplica, type WorldOptions } from './open-world';

const TEST_MS = 120_000;
const STEP_MS = 40_000;
const CHARGERS = 8;
const NEWER_KIND = 'a newer kind' as ReportEnvelope['kind'];
const NEWER_VERSION = REPORT_VERSION + 1;
const SECONDS_A_SECOND = 15;

/** The chargers, with the field that the newer version adds. */
interface Filled extends Document {
  readonly addedField?: number;
}
const chargers = allCollections.find(({ name }) => name === 'chargers') as CollectionDefinition<Filled>;

const MIGRATIONS: readonly Migration[] = [
  {
    version: SCHEMA_VERSION + 1,
    about: 'chargers have another field',
    isAdditive: true,
    async part(store) {
      const found = await store.collection(chargers).find(eq('addedField', null), { limit: 3 });
      for (const { _id } of found) {
        await store
          .collection(chargers)
          .update(and(eq('_id', _id), eq('addedField', null)), { set: { addedField: 1 } });
      }
      return found.length;
    },
  },
];

/** A minute without older programs passes in seconds. */
const hurriedClock = createHurriedClock(SECONDS_A_SECOND);

type Age = 'old' | 'newer';

interface Handled {
  readonly age: Age;
  readonly report: ReportEnvelope;
}

/** Sends without a pause between its messages, over one connection. */
interface Sender {
  readonly charger: Charger;
  readonly sent: ReportEnvelope[];
  send(kind?: ReportEnvelope['kind']): void;
}

export function describeNeighbouringVersions(title: string, options: () => WorldOptions): void {
  describe(title, () => {
    it(
      'loses nothing and stores nothing twice, in a rollout and in a rollback, and completes the migration of the store',
      async () => {
        const world = await openMixed(options());
        const { roll, senders, send, schema } = world;

        await roll({ old: 2 });
        await world.connect();
        send(10);
        await world.allStored();

        // The rollout. Old and new gateways and APIs write meanwhile.
        const [first] = await roll({ newer: 1 });
        world.gateways('old', 'newer');
        await world.connect();
        // The newer replica owns all partitions, also while nobody sends what it alone reads.
        await eventually(async () => {
          send(1);
          await world.allStored();
          return world.senders().every(({ charger }) => world.lastHandledBy(charger) === 'newer');
        });
        send(10, NEWER_KIND);
        await world.allStored();
        expect(await schema()).toMatchObject({ version: SCHEMA_VERSION + 1, readableBy: SCHEMA_VERSION });
        const [second] = await roll({ newer: 1 });
        await world.stopOld();
        send(10, NEWER_KIND);
        await world.allStored();

        // The rollback: what only the newer version reads waits in its order, whatever the old one does.
        await roll({ old: 1 });
        await first?.stop();
        await second?.stop();
        world.gateways('old');
        const waiting = senders().slice(0, 1);
        for (const sender of waiting) sender.send(NEWER_KIND);
        send(10);
        const blocked = new Set(waiting.map(({ charger }) => partitionOf(charger.chargerId, PARTITIONS)));
        const others = senders().filter(({ charger }) => !blocked.has(partitionOf(charger.chargerId, PARTITIONS)));
        await world.allStored(others);
        expect(await world.isStored(waiting)).toBe(false);
        const created = await world.register();

        // Forward again.
        await roll({ newer: 1 });
        await world.stopOld();
        world.gateways('newer');
        send(10, NEWER_KIND);
        await world.allStored();
        expect(world.disorder()).toEqual([]);
        expect(await world.deadLetters()).toBe(0);
        for (const { charger, sent } of senders()) {
          expect((await world.read(charger)).reported.deviations['vendor_field']).toMatchObject({ count: sent.length });
        }
        await eventually(async () => {
          const found = await schema();
          return found !== undefined && isSettled(found);
        }, STEP_MS);
        for (const charger of [...senders().map((each) => each.charger), created]) {
          expect(await world.filled(charger)).toMatchObject({ addedField: 1 });
        }
        await world.close();
      },
      TEST_MS,
    );
  });
}

async function openMixed(options: WorldOptions) {
  const world = await openWorld(options);
  const { store, broker } = world.platform;
  const handled: Handled[] = [];
  const all: Sender[] = [];
  const olds: OtherReplica[] = [];
  let ages: readonly Age[] = ['old'];
  // The world's own replica would not be recorded.
  await world.stop();
  const leases = systemClock.every(100, () => {
    for (const age of ages) {
      const shown = age === 'old' ? {} : { schema: SCHEMA_VERSION + 1, program: 'the newer one' };
      broker.broadcast(channels.leases, { gatewayId: world.gatewayId, ...shown });
    }
  });

  async function start(age: Age): Promise<OtherReplica> {
    const migrations = age === 'old' ? [] : MIGRATIONS;
    const { logger } = world;
    await createStoreSetup({ store, clock: systemClock, logger, partitions: undefined, migrations }).start();
    const replica = await world.otherReplica({
      clock: hurriedClock,
      migrations,
      broker: (own) => recorded(age, age === 'old' ? own : newerBroker(own), handled),
    });
    if (age === 'old') olds.push(replica);
    return replica;
  }

  const storedIds = async (charger: Charger): Promise<readonly string[]> =>
    (await world.log(charger)).map(({ rowId }) => rowId);
  async function isStored(senders: readonly Sender[] = all): Promise<boolean> {
    for (const { charger, sent } of senders) {
      const stored = await storedIds(charger);
      if (sent.some(({ id }) => !stored.includes(id))) return false;
    }
    return true;
  }

  return {
    senders: () => all,
    read: world.read,
    register: () => world.register(),
    close: () => {
      leases.cancel();
      return world.close();
    },
    async roll(counts: Partial<Record<Age, number>>): Promise<readonly OtherReplica[]> {
      const started: OtherReplica[] = [];
      for (const age of ['old', 'newer'] as const) {
        for (let n = 0; n < (counts[age] ?? 0); n += 1) started.push(await start(age));
      }
      return started;
    },
    async stopOld() {
      for (const replica of olds.splice(0)) await replica.stop();
    },
    /** The gateways that renew their leases from now on. */
    gateways: (...now: readonly Age[]) => void (ages = now),
    /** Some chargers that an API of the old version creates: without the field that the newer one adds. */
    async connect(): Promise<void> {
      for (let n = 0; n < CHARGERS; n += 1) {
        const charger = await world.register();
        all.push(senderOf(charger, await world.connect(charger)));
      }
    },
    send(count: number, kind?: ReportEnvelope['kind']) {
      for (let n = 0; n < count; n += 1) for (const sender of all) sender.send(n % 3 === 1 ? kind : undefined);
    },
    isStored,
    allStored: (senders?: readonly Sender[]) => eventually(() => isStored(senders), STEP_MS),
    lastHandledBy: ({ chargerId }: Charger) => handled.findLast(({ report }) => report.chargerId === chargerId)?.age,
    /** Messages that were handled for the first time after a later one of their connection. */
    disorder(): readonly string[] {
      const seen = new Set<string>();
      const last = new Map<string, number>();
      return handled.flatMap(({ report: { id, connectionId, seq } }) => {
        if (seen.has(id)) return [];
        seen.add(id);
        const isLate = seq < (last.get(connectionId) ?? 0);
        last.set(connectionId, seq);
        return isLate ? [id] : [];
      });
    },
    deadLetters: () => createDeadLetterStore(store).count(),
    filled: (charger: Charger) => store.collection(chargers).get(charger.chargerId),
    schema: () => readSchema(store),
  };
}

/** Ids as of a gateway: they sort in the order of the messages. */
const reportId = createIdSource();

function senderOf(charger: Charger, connection: FakeConnection): Sender {
  const sent: ReportEnvelope[] = [];
  return {
    charger,
    sent,
    send(kind) {
      const seq = sent.length + 2;
      const report: ReportEnvelope = {
        v: 1,
        id: reportId(Date.now()),
        kind: kind ?? 'report',
        chargerId: charger.chargerId,
        incarnationId: charger.incarnationId,
        connectionId: connection.connectionId,
        gatewayId: 'gateway',
        order: connection.order,
        seq,
        ocppVersion: 'ocpp1.6',
        action: 'Heartbeat',
        messageId: String(seq),
        payload: {},
        raw: JSON.stringify([2, String(seq), 'Heartbeat', {}]),
        receivedAt: new Date().toISOString(),
        deviations: ['vendor_field'],
      };
      sent.push(report);
      // In one process it is confirmed only once it is stored.
      void connection.publish(report);
    },
  };
}

/** Records what the replica is given. */
function recorded(age: Age, broker: Broker, handled: Handled[]): Broker {
  return {
    ...broker,
    consume(channel, partition, options, handler) {
      return broker.consume(channel, partition, options, async (batch) => {
        for (const { body } of batch as Parameters<BatchHandler<ReportBatch>>[0]) {
          for (const report of body?.reports ?? []) handled.push({ age, report });
        }
        await handler(batch);
      });
    },
  };
}

/** The broker as the newer version uses it: it reads the newer kind and announces that to the other replicas. */
function newerBroker(broker: Broker): Broker {
  return {
    ...broker,
    broadcast: (channel, body) =>
      broker.broadcast(channel, channel.name === channels.replicas.name ? { ...body, reads: NEWER_VERSION } : body),
    consume(channel, partition, options, handler) {
      const newer = { ...channel, version: NEWER_VERSION };
      return broker.consume(newer, partition, options, (batch) =>
        handler(batch.map((delivery) => ({ ...delivery, body: delivery.body && withKnownKinds(delivery.body) }))),
      );
    },
  };
}

function withKnownKinds<Body>(body: Body): Body {
  const { reports } = body as Partial<ReportBatch>;
  if (reports === undefined) return body;
  return {
    ...body,
    reports: reports.map((report) => (report.kind === NEWER_KIND ? { ...report, kind: 'report' } : report)),
  };
}
