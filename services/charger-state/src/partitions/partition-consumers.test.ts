import { createMemoryBroker, type Broker } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createPartitionConsumers } from './partition-consumers';

const SELF = 'self';

describe('a replica that is active in a partition of another', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  it('transfers it after its batch and subscribes again, behind the others', async () => {
    await world.publish();
    await eventually(() => world.subscribed() === 2);
    expect(world.moves).toEqual(['taken', 'left']);
    await world.publish();
    expect(world.handled()).toBe(2);
    expect(world.consumers.ready()).toBe(true);
    expect(world.consumers.owned()).toBe(0);
  });

  it('retries its subscription, and is not ready meanwhile', async () => {
    world.refuse(3);
    await world.publish();
    for (let left = 2; left >= 0; left -= 1) {
      await eventually(() => world.refusals() === left);
      await eventually(() => !world.consumers.ready());
      world.clock.advance(5_000);
    }
    await eventually(() => world.consumers.ready());
    await world.publish();
    expect(world.handled()).toBe(2);
    expect(world.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('stops immediately while it waits for a retry', async () => {
    world.refuse(1);
    await world.publish();
    await eventually(() => !world.consumers.ready());
    await world.consumers.stop();
    expect(world.subscribed()).toBe(1);
  });
});

it('counts the partitions that it owns, and none when it has stopped', async () => {
  const world = await openWorld(SELF);
  expect(world.consumers.owned()).toBe(1);
  await world.close();
  expect(world.consumers.owned()).toBe(0);
});

async function openWorld(owner = 'another') {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const memory = createMemoryBroker({ clock, logger });
  await memory.start();
  const moves: string[] = [];
  let refusals = 0;
  let subscribed = 0;
  let handled = 0;
  const broker: Broker = {
    ...memory,
    consume(...args) {
      if (refusals > 0) {
        refusals -= 1;
        return Promise.reject(new AppError('unavailable', 'The queue may have no leader.'));
      }
      subscribed += 1;
      return memory.consume(...args);
    },
  };
  const consumers = createPartitionConsumers({
    broker,
    clock,
    logger,
    replicaId: SELF,
    partitions: 1,
    owners: { renewed: () => undefined, ownerOf: () => owner, replicas: () => 2 },
    probe: () => Promise.resolve(),
    handler(batch) {
      handled += batch.length;
      return Promise.resolve();
    },
    onMove: (what) => void moves.push(what),
  });
  await consumers.start();
  return {
    clock,
    logger,
    consumers,
    moves,
    subscribed: () => subscribed,
    handled: () => handled,
    refusals: () => refusals,
    refuse: (times: number) => {
      refusals = times;
    },
    /** Resolves when the message is handled. */
    publish: () =>
      new Promise<void>((resolve, reject) => {
        memory.enqueue(channels.reports, 0, { reports: [{} as ReportEnvelope] }, (failure) => {
          if (failure === undefined) resolve();
          else reject(new Error(failure));
        });
      }),
    async close() {
      await consumers.stop();
      await memory.stop();
    },
  };
}
