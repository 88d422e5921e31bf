import { EventEmitter } from 'node:events';
import { createMemoryBroker } from '@busbar/broker';
import { channels, type GatewayLease } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import type { Connection } from '../connection/connection';
import { createRegistry } from '../connection/registry';
import { createRebalancer } from './rebalancer';

const LEASE_MS = 15_000;

interface Charger {
  readonly transactions?: readonly string[] | undefined;
  readonly isCalled?: boolean;
}

/** A gateway called `own` with these chargers, and the leases that arrive at it. */
async function open(chargers: readonly Charger[]) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const broker = createMemoryBroker({ clock, logger });
  await broker.start();
  const registry = createRegistry();
  const closed: { readonly charger: number; readonly code: number }[] = [];
  for (const [charger, { transactions, isCalled = false }] of chargers.entries()) {
    const connection = {
      chargerId: String(charger),
      order: 1,
      transactions: transactions && new Set(transactions),
      answers: [],
      calls: { pending: () => (isCalled ? {} : undefined) },
      socket: Object.assign(new EventEmitter(), {
        close(code: number) {
          closed.push({ charger, code });
          registry.remove(connection);
        },
        terminate: () => undefined,
      }),
    } as unknown as Connection;
    registry.add(connection);
  }
  let isStopping = false;
  const rebalancer = createRebalancer({
    broker,
    clock,
    logger,
    registry,
    leaseMs: LEASE_MS,
    gatewayId: () => 'own',
    isStopping: () => isStopping,
  });
  await rebalancer.start();
  return {
    closed,
    logger,
    registered: () => registry.size(),
    requestStop: () => void (isStopping = true),
    /** Moves time while every gateway renews its lease. */
    async pass(ms: number, ...others: readonly GatewayLease[]) {
      for (let passed = 0; passed < ms; passed += 5_000) {
        for (const lease of [{ gatewayId: 'own', sockets: registry.size() }, ...others]) {
          broker.broadcast(channels.leases, lease);
        }
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(5_000);
      }
    },
    async close() {
      await rebalancer.stop();
      await broker.stop();
    },
  };
}

const idle = (count: number): Charger[] => Array.from({ length: count }, () => ({ transactions: [] }));

describe('a gateway with more than its share', () => {
  let world: Awaited<ReturnType<typeof open>>;
  afterEach(() => world.close());

  it('closes its idle sockets slowly with 1001, those connected longest first, until it has 10 % above the mean', async () => {
    world = await open(idle(300));
    await world.pass(55_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed).toEqual([]);
    await world.pass(15_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed.length).toBeGreaterThan(10);
    expect(world.closed.length).toBeLessThanOrEqual(17);
    expect(world.closed.every(({ code }) => code === 1001)).toBe(true);
    expect(world.closed.map(({ charger }) => charger)).toEqual(world.closed.map((_, place) => place));
    const moved = world.closed.length;
    await world.pass(10_000, { gatewayId: 'new', sockets: 300 - moved });
    expect(world.closed).toHaveLength(moved);
    expect(world.logger.lines.map(({ message }) => message)).toEqual([
      'closing idle sockets: other gateways have fewer',
      'closing no more idle sockets',
    ]);
  });

  it('keeps sockets with a transaction, with a CALL in flight, and with unknown transactions', async () => {
    world = await open([
      { transactions: ['7'] },
      { transactions: [], isCalled: true },
      { transactions: undefined },
      ...idle(300),
    ]);
    await world.pass(70_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed.length).toBeGreaterThan(10);
    expect(Math.min(...world.closed.map(({ charger }) => charger))).toBe(3);
  });

  it.each<[string, GatewayLease]>([
    ['another gateway stops', { gatewayId: 'other', sockets: 0, stopping: true }],
    ['an older gateway does not say its sockets', { gatewayId: 'other' }],
  ])('closes none while %s', async (_what, lease) => {
    world = await open(idle(300));
    await world.pass(70_000, { gatewayId: 'new', sockets: 0 }, lease);
    expect(world.closed).toEqual([]);
  });

  it('continues after a lease was missing, also where it would not begin any more', async () => {
    world = await open(idle(300));
    const others = (): GatewayLease => ({ gatewayId: 'new', sockets: 300 - world.registered() });
    // Less than 25 % and 100 above the mean of 150 each.
    while (world.registered() > 180) await world.pass(5_000, others());
    await world.pass(10_000);
    const paused = world.closed.length;
    await world.pass(60_000, others());
    expect(world.closed.length).toBeGreaterThan(paused);
  });

  it('closes none once its own stop is requested, before its lease says so', async () => {
    world = await open(idle(300));
    world.requestStop();
    await world.pass(70_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed).toEqual([]);
  });

  it('closes none while a lease is missing, and begins once that gateway is forgotten', async () => {
    world = await open(idle(300));
    await world.pass(55_000, { gatewayId: 'new', sockets: 0 }, { gatewayId: 'dead', sockets: 0 });
    await world.pass(20_000, { gatewayId: 'new', sockets: 0 });
    const before = world.closed.length;
    // Before the renewal was due it was not missing yet.
    expect(before).toBeLessThan(10);
    await world.pass(5_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed).toHaveLength(before);
    await world.pass(20_000, { gatewayId: 'new', sockets: 0 });
    expect(world.closed.length).toBeGreaterThan(before);
  });
});
