import { createMemoryBroker } from '@busbar/broker';
import type { PresenceStore } from '@busbar/domain/chargers';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createMemoryStores } from '../testing/memory-stores';
import { createLeaseTable } from './lease-table';
import { createPresence } from './presence';

const LEASE_TICKS = 5;

describe('whether a gateway is dead anywhere', () => {
  it('is read from the store for a new id, once for all concurrent callers, and then cached', async () => {
    const world = await openWorld();
    await world.store.markDead('long ago', '2020-01-01T00:00:00.000Z');
    expect(world.presence.isDead('long ago')).toBe(false);
    const asked = Array.from({ length: 10 }, () => world.presence.isDeadAnywhere('long ago'));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
    expect(await world.presence.isDeadAnywhere('long ago')).toBe(true);
    expect(world.questions).toEqual(['long ago']);
    expect(world.presence.isDead('long ago')).toBe(true);
    await world.close();
  });

  it('is true eventually for an abandoned id, though no charger is connected under it', async () => {
    const world = await openWorld();
    expect(await world.presence.isDeadAnywhere('gone')).toBe(false);
    await eventually(() => (world.clock.advance(1_000), world.presence.isDead('gone')));
    expect(await world.store.isDead('gone')).toBe(true);
    await world.close();
  });
});

async function openWorld() {
  const [clock, logger] = [createFakeClock(), createRecordingLogger()];
  const broker = createMemoryBroker({ clock });
  await broker.start();
  const questions: string[] = [];
  const { presence: store } = createMemoryStores();
  const noted: PresenceStore = {
    ...store,
    isDead(gatewayId) {
      questions.push(gatewayId);
      return store.isDead(gatewayId);
    },
  };
  const presence = createPresence({
    broker,
    clock,
    logger,
    replicaId: 'r',
    store: noted,
    sweepAtStart: false,
    leases: createLeaseTable(LEASE_TICKS),
  });
  await presence.start();
  return {
    clock,
    presence,
    store,
    questions,
    async close() {
      await presence.stop();
      await broker.stop();
    },
  };
}
