// Replicas of which one, or all, cannot reach the store while the broker is available: embedded, and on a real
// RabbitMQ.
import { createAmqpBroker, createMemoryBroker, createMemoryHub, type Broker } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import { AppError, systemClock, type Clock, type Service } from '@busbar/core';
import { createFakeClock, createRecordingLogger, describeWithRabbit, eventually } from '@busbar/testing';
import { createOwners } from '@busbar/runtime';
import { createPartitionConsumers } from './partition-consumers';
import { newReport } from '../testing/report';

const PARTITIONS = 4;
const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const LONG_MS = 120_000;

describe('a replica that cannot reach the store, in one process', () => {
  const open = () => {
    const clock = createFakeClock();
    const hub = createMemoryHub({ clock });
    const broker = () => createMemoryBroker({ clock, hub });
    return openWorld({ clock, broker, pass: () => clock.advance(500) });
  };
  describeReplicas(open);

  it('retains its partitions while it is alone, and continues when the store is available', async () => {
    const world = await open();
    const alone = await world.replica();
    world.publish();
    await world.eventually(() => world.isInOrder());
    alone.cut(true);
    world.publish();
    for (let tick = 0; tick < 20; tick += 1) await world.eventually(() => true);
    expect(alone.parts).toEqual([]);
    expect(alone.consumers.ready()).toBe(true);
    alone.cut(false);
    await world.eventually(() => world.isInOrder());
    expect(alone.moves).not.toContain('left');
    await world.close();
  });

  it('moves no partition for a short outage', async () => {
    const world = await open();
    const [a] = [await world.replica(), await world.replica()];
    await world.eventually(() => world.isSpread());
    a.cut(true);
    world.publish();
    for (let tick = 0; tick < 4; tick += 1) await world.eventually(() => true);
    a.cut(false);
    await world.eventually(() => world.isInOrder());
    expect(a.parts).toEqual([]);
    await world.close();
  });
});

describeWithRabbit('a replica that cannot reach the store, on RabbitMQ', (rabbit) => {
  const broker = () => createAmqpBroker({ url: rabbit().url, logger: createRecordingLogger() });
  describeReplicas(() => openWorld({ clock: systemClock, broker, pass: () => undefined }));
});

function describeReplicas(open: () => Promise<World>): void {
  it(
    'leaves its partitions to another one, and regains them when the store is available, all in order',
    async () => {
      const world = await open();
      const [a, b] = [await world.replica(), await world.replica()];
      await world.eventually(() => world.isSpread());

      a.cut(true);
      await world.eventually(() => a.parts.includes(false));
      world.publish();
      await world.eventually(() => world.isInOrder());
      expect(partitions.map((partition) => world.lastBy(partition))).toEqual(partitions.map(() => b.name));
      expect(a.consumers.ready()).toBe(false);
      expect(b.parts).toEqual([]);

      a.cut(false);
      await world.eventually(() => world.isSpread());
      await world.eventually(() => world.isInOrder());
      expect(a.parts).toEqual([false, true]);
      expect(a.consumers.ready()).toBe(true);
      await world.close();
    },
    LONG_MS,
  );

  it(
    'waits with all others while none can reach the store, and all continue',
    async () => {
      const world = await open();
      const both = [await world.replica(), await world.replica()];
      await world.eventually(() => world.isSpread());
      for (const replica of both) replica.cut(true);
      await world.eventually(() => both.some(({ parts }) => parts.includes(false)));
      world.publish();
      for (const replica of both) replica.cut(false);
      await world.eventually(() => world.isInOrder());
      await world.eventually(() => world.isSpread());
      expect(both.every(({ consumers }) => consumers.ready())).toBe(true);
      await world.close();
    },
    LONG_MS,
  );
}

interface WorldDeps {
  readonly clock: Clock;
  readonly broker: () => Broker;
  /** Advances the time, where it does not advance by itself. */
  readonly pass: () => void;
}

interface Replica {
  readonly name: string;
  /** The changes between standby (false) and active (true). */
  readonly parts: readonly boolean[];
  readonly moves: readonly string[];
  readonly consumers: Service;
  readonly broker: Broker;
  readonly cut: (now: boolean) => void;
}

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld({ clock, broker: createBroker, pass }: WorldDeps) {
  const seen = partitions.map((): { seq: number; by: string }[] => []);
  const published = partitions.map(() => 0);
  const replicas: Replica[] = [];
  const publisher = createBroker();
  await publisher.start();
  await publisher.declareQueue(channels.reports, PARTITIONS);
  // An earlier test on the same server must have left no messages.
  for (const partition of partitions) expect(await publisher.depth(channels.reports, partition)).toBe(0);

  async function replica(): Promise<Replica> {
    const broker = createBroker();
    await broker.start();
    // Each owns two of the partitions while both are active.
    const name = replicas.length === 0 ? 'red' : 'blue';
    const [parts, moves]: [boolean[], string[]] = [[], []];
    let isCut = false;
    const store = (): Promise<void> =>
      isCut ? Promise.reject(new AppError('unavailable', 'The store is unavailable.')) : Promise.resolve();
    const consumers = createPartitionConsumers({
      broker,
      clock,
      logger: createRecordingLogger(),
      replicaId: name,
      partitions: PARTITIONS,
      owners: createOwners(name),
      probe: store,
      async handler(batch) {
        await store();
        for (const { body } of batch) {
          for (const { order, seq } of body?.reports ?? []) seen[order]?.push({ seq, by: name });
        }
      },
      onMove: (what) => void moves.push(what),
      onActiveChange: (isActive) => void parts.push(isActive),
    });
    await consumers.start();
    const opened: Replica = { name, parts, moves, consumers, broker, cut: (now: boolean) => void (isCut = now) };
    replicas.push(opened);
    return opened;
  }

  /** One message into each partition. */
  function publish(): void {
    for (const partition of partitions) {
      const seq = (published[partition] ?? 0) + 1;
      published[partition] = seq;
      publisher.enqueue(channels.reports, partition, { reports: [reportOf(partition, seq)] }, () => undefined);
    }
  }

  const lastBy = (partition: number) => seen[partition]?.at(-1)?.by;
  return {
    replica,
    publish,
    lastBy,
    eventually: (probe: () => boolean) =>
      eventually(() => {
        pass();
        return probe();
      }, 60_000),
    /** All published messages were handled, once and in order. */
    isInOrder() {
      seen.forEach((each) => {
        expect(each.map(({ seq }) => seq)).toEqual(Array.from(each, (_, n) => n + 1));
      });
      return seen.every((each, partition) => each.length === published[partition]);
    },
    /** Every partition was last handled by its owner. This needs further published messages. */
    isSpread() {
      if (seen.some((each, partition) => each.length < (published[partition] ?? 0))) return false;
      const owners = replicas.map(({ name }) => createOwners(name));
      for (const each of owners) for (const { name } of replicas) each.renewed(name, 'here');
      if (seen.every((_, partition) => lastBy(partition) === owners[0]?.ownerOf(String(partition)))) return true;
      publish();
      return false;
    },
    async close() {
      for (const { consumers, broker } of replicas) {
        await consumers.stop();
        await broker.stop();
      }
      await publisher.stop();
    },
  };
}

function reportOf(order: number, seq: number): ReportEnvelope {
  return newReport({ kind: 'log_only', order, seq, payload: null, raw: '' });
}
