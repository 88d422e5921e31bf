// Outages that expire no lease: a broker that is suspended, drops messages, or reconnects; an unavailable store; other
// replicas.
import { channels } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { PresenceStore } from '@busbar/domain/chargers';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import fc from 'fast-check';
import { createMemoryStores } from '../testing/memory-stores';
import { createPausedBroker } from '../testing/paused-broker';
import { createLeaseTable } from './lease-table';
import { createPresence } from './presence';

const LEASE_S = 15;
const RENEWED_EVERY_S = 5;
/** A silent connection is closed after 10 to 15 s. */
const MAX_STALL_S = 14;

describe('a gateway that renews its lease', () => {
  it.each([8, 9, 10, 11, 12, 13, 14])(
    'is not dead after a broker that was suspended for %d s and then delivers all renewals and ticks together',
    async (stallS) => {
      for (let phase = 0; phase < RENEWED_EVERY_S; phase += 1) {
        const world = await openWorld();
        await world.seconds(20 + phase);
        world.broker.freeze();
        await world.seconds(stallS);
        world.broker.thaw(channels.leases);
        await world.seconds(20);
        expect(world.dead).toEqual([]);
        await world.presence.stop();
      }
    },
  );

  it('is not dead however often and long the broker is suspended, in any order of delivery', async () => {
    const spell = fc.record({
      flowsS: fc.nat(20),
      stallsS: fc.integer({ min: 1, max: MAX_STALL_S }),
      first: fc.constantFrom(channels.leases, channels.ticks),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(spell, { minLength: 1, maxLength: 8 }), async (spells) => {
        const world = await openWorld();
        for (const { flowsS, stallsS, first } of spells) {
          await world.seconds(flowsS);
          world.broker.freeze();
          await world.seconds(stallsS);
          world.broker.thaw(first);
        }
        await world.seconds(2 * LEASE_S);
        expect(world.dead).toEqual([]);
        await world.presence.stop();
      }),
      { numRuns: 50 },
    );
  });
});

describe('a gateway that sends no renewal', () => {
  it('is dead after a lease, and not before', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.gateway.isSilent = true;
    // One tick has arrived since its renewal.
    await world.seconds(LEASE_S - 2);
    expect(world.dead).toEqual([]);
    await world.seconds(1);
    expect(world.dead).toEqual(['g']);
    await world.presence.stop();
  });

  it('is not dead while the broker is suspended', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.broker.freeze();
    await world.seconds(10 * LEASE_S);
    expect(world.dead).toEqual([]);
    await world.presence.stop();
  });

  it('has a full lease when the connection to the broker is restored', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.gateway.isSilent = true;
    await world.seconds(LEASE_S - 2);
    world.broker.reconnect();
    await world.seconds(LEASE_S - 1);
    expect(world.dead).toEqual([]);
    await world.seconds(2);
    expect(world.dead).toEqual(['g']);
    await world.presence.stop();
  });

  it('has nearly a full lease when the store is available again, and is not dead before', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.gateway.isSilent = true;
    world.store.isUnavailable = true;
    await world.seconds(4 * LEASE_S);
    world.store.isUnavailable = false;
    await world.seconds(LEASE_S - 4);
    expect(world.dead).toEqual([]);
    await world.seconds(4);
    expect(world.dead).toEqual(['g']);
    const messages = world.logger.lines
      .map(({ message }) => message)
      .filter((text) => text.startsWith('gateway leases'));
    expect(messages).toEqual([
      'gateway leases are suspended: the store is unavailable',
      'gateway leases are counted again',
    ]);
    await world.presence.stop();
  });

  it('is not dead by ticks of another replica, whatever their numbers', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.broker.freeze();
    for (let count = 1; count <= 10 * LEASE_S; count += 1) {
      await world.seconds(1);
      for (let number = 1; number <= count; number += 1) {
        world.broker.deliver(channels.ticks, { replicaId: 'other', count: number });
      }
    }
    expect(world.dead).toEqual([]);
    await world.presence.stop();
  });

  it('is dead eventually though the broker dropped ticks silently', async () => {
    const world = await openWorld();
    await world.seconds(1);
    world.gateway.isSilent = true;
    world.broker.dropAll();
    await world.seconds(4 * LEASE_S);
    expect(world.dead).toEqual([]);
    world.broker.resume();
    await world.seconds(LEASE_S + RENEWED_EVERY_S);
    expect(world.dead).toEqual(['g']);
    await world.presence.stop();
  });
});

describe('a renewal under an id that is new to this replica', () => {
  it('is answered by the state in the store, which other replicas write too', async () => {
    const world = await openWorld();
    await world.store.port.markDead('long dead', '2020-01-01T00:00:00.000Z');
    for (const gatewayId of ['long dead', 'new']) world.broker.port.broadcast(channels.leases, { gatewayId });
    await world.seconds(1);
    expect(world.broker.answers).toContainEqual({ gatewayId: 'long dead', state: 'dead' });
    expect(world.broker.answers).toContainEqual({ gatewayId: 'new', state: 'live' });
    expect(world.presence.isDead('long dead')).toBe(true);
    await world.presence.stop();
  });

  it('is answered by the store at the next renewal, when the store was unavailable at the first', async () => {
    const world = await openWorld();
    await world.store.port.markDead('long dead', '2020-01-01T00:00:00.000Z');
    world.store.isUnavailable = true;
    world.broker.port.broadcast(channels.leases, { gatewayId: 'long dead' });
    await world.seconds(2);
    world.store.isUnavailable = false;
    world.broker.port.broadcast(channels.leases, { gatewayId: 'long dead' });
    await world.seconds(1);
    expect(world.broker.answers.filter(({ gatewayId }) => gatewayId === 'long dead')).toEqual([
      { gatewayId: 'long dead', state: 'dead' },
    ]);
    await world.presence.stop();
  });
});

/** A replica, and a gateway that renews its lease every five seconds, in the middle of a second, unless it is silent. */
async function openWorld() {
  const [clock, logger, broker] = [createFakeClock(), createRecordingLogger(), createPausedBroker()];
  const dead: string[] = [];
  const { presence: port } = createMemoryStores();
  const store = { port, isUnavailable: false };
  const asked = <T>(answer: () => Promise<T>): Promise<T> =>
    store.isUnavailable ? Promise.reject(new AppError('unavailable', 'The store does not answer.')) : answer();
  const losable: PresenceStore = {
    isDead: (gatewayId) => asked(() => port.isDead(gatewayId)),
    listDead: (since) => asked(() => port.listDead(since)),
    countActive: () => asked(() => port.countActive()),
    disconnectAll: (gatewayId, at) => asked(() => port.disconnectAll(gatewayId, at)),
    markDead: (gatewayId, at) =>
      asked(() => {
        dead.push(gatewayId);
        return port.markDead(gatewayId, at);
      }),
  };
  const presence = createPresence({
    broker: broker.port,
    clock,
    logger,
    replicaId: 'r',
    store: losable,
    sweepAtStart: false,
    leases: createLeaseTable(LEASE_S),
  });
  await presence.start();
  const gateway = { isSilent: false };
  let second = 0;
  return {
    broker,
    dead,
    gateway,
    logger,
    presence,
    store,
    async seconds(count: number) {
      for (let n = 0; n < count; n += 1) {
        clock.advance(500);
        if (second % RENEWED_EVERY_S === 0 && !gateway.isSilent) {
          broker.port.broadcast(channels.leases, { gatewayId: 'g' });
        }
        clock.advance(500);
        second += 1;
        // The store responds to the replica meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
