import { createMemoryBroker, type Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createLease, type Lease } from './lease';

const LEASE_MS = 15_000;

describe("a gateway's lease", () => {
  let world: Awaited<ReturnType<typeof open>>;
  afterEach(async () => {
    await world.lease.stop();
    await world.broker.stop();
  });

  it('keeps its id without an answer, and subscribes again once a lease', async () => {
    world = await open();
    const id = world.lease.gatewayId();
    for (let lease = 1; lease <= 3; lease += 1) {
      await world.pass(LEASE_MS + LEASE_MS / 3);
      await eventually(() => world.served.length > lease);
    }
    expect(new Set(world.served)).toEqual(new Set([id]));
    expect(world.lease.gatewayId()).toBe(id);
    expect(world.announced()).toBe(0);
    expect(world.open()).toBe(1);
  });

  it('announces the sockets again at the first answer after a silence only', async () => {
    world = await open();
    await world.pass(2 * LEASE_MS);
    world.answer('live');
    await eventually(() => world.announced() === 1);
    world.answer('live');
    await world.pass(LEASE_MS / 3);
    expect(world.announced()).toBe(1);
  });

  it('takes a new id when its own has lapsed, and announces the sockets again', async () => {
    world = await open();
    const id = world.lease.gatewayId();
    world.answer('dead');
    await eventually(() => world.lease.gatewayId() !== id);
    await eventually(() => world.announced() === 1 && world.open() === 1);
    expect(world.served).toEqual([id, world.lease.gatewayId()]);
  });
});

async function open() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const broker: Broker = createMemoryBroker({ clock, logger });
  await broker.start();
  const served: string[] = [];
  let announced = 0;
  let listening = 0;
  const lease: Lease = createLease({
    broker,
    clock,
    logger,
    leaseMs: LEASE_MS,
    load: () => ({ sockets: 0, stopping: false }),
    version: { schema: 1, program: '1.0.0' },
    serve(gatewayId) {
      served.push(gatewayId);
      listening += 1;
      return Promise.resolve({
        close() {
          listening -= 1;
          return Promise.resolve();
        },
      });
    },
    announce() {
      announced += 1;
    },
  });
  await lease.start();
  return {
    broker,
    lease,
    served,
    announced: () => announced,
    open: () => listening,
    answer(state: 'live' | 'dead') {
      const gatewayId = lease.gatewayId();
      broker.post(channels.leaseAnswers, gatewayId, { gatewayId, state });
    },
    /** In steps of a third of a lease, as its timer goes. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += LEASE_MS / 3) {
        clock.advance(LEASE_MS / 3);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
