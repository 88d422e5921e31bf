// A gateway that stops closes its sockets one after the other, and serves each in full until its turn.
import { channels } from '@busbar/contracts';
import {
  advanceUntil,
  createFakeClock,
  eventually,
  UpgradeRejected,
  type FakeClock,
  type ScriptedCharger,
} from '@busbar/testing';
import type { GatewaySettings } from './config';
import { idOf, openWorld, type GatewayWorld } from './testing/open-world';

const START = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T00:00:00Z' };

describe('a gateway that stops', () => {
  let clock: FakeClock;
  let world: GatewayWorld;
  let stopped: Promise<void> | undefined;

  async function open(settings: Partial<GatewaySettings> = {}): Promise<void> {
    clock = createFakeClock();
    world = await openWorld({ clock, settings: { drainS: 10, ...settings } });
    stopped = undefined;
  }

  async function connect(count: number): Promise<ScriptedCharger[]> {
    const chargers = await Promise.all(Array.from({ length: count }, () => world.connect()));
    await eventually(() => world.reports.filter(({ kind }) => kind === 'connected').length === count);
    return chargers;
  }

  /** Moves time until the stop has ended. */
  const pass = (): Promise<void> => advanceUntil(clock, stopped ?? Promise.resolve());

  const isOpen = (charger: ScriptedCharger): boolean => charger.closed() === undefined;

  afterEach(async () => {
    await pass();
    await world.close();
  });

  it('serves a socket in full until its turn, and rejects upgrades with 503 and Retry-After', async () => {
    await open();
    const chargers = await connect(4);
    expect([world.isReady(), await world.metric('busbar_gateway_draining')]).toEqual([true, 0]);
    stopped = world.stopGateway();
    await eventually(() => chargers.filter(isOpen).length === 3);
    const other = chargers.find(isOpen);
    expect(await other?.call('StartTransaction', START)).toMatchObject({ kind: 'result' });

    const rejected = await world.connect().catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(UpgradeRejected);
    expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) as string } });
    expect(await world.metric('busbar_gateway_upgrades_total{result="stopping"}')).toBe(1);
    expect(world.isReady()).toBe(false);
    expect(await world.metric('busbar_gateway_draining')).toBe(1);

    clock.advance(2_500);
    await eventually(() => chargers.filter(isOpen).length === 2);
    await pass();
    for (const charger of chargers) expect(charger.closed()).toMatchObject({ code: 1001 });
    const ends = world.reports.filter(({ kind }) => kind === 'disconnected');
    expect(ends).toHaveLength(4);
    expect(await world.metric('busbar_gateway_closed_total{reason="stopping"}')).toBe(4);
  });

  it.each([['1001' as const], ['1012' as const]])('closes with DRAIN_CODE %s', async (drainCode) => {
    await open({ drainS: 0, drainCode });
    const [charger] = await connect(1);
    stopped = world.stopGateway();
    expect(await charger?.waitForClose()).toMatchObject({ code: Number(drainCode) });
  });

  it("answers a charger's CALL in flight before it closes the socket", async () => {
    await open({ drainS: 0 });
    const [charger] = await connect(1);
    const release = world.hold();
    const answer = charger?.call('StartTransaction', START);
    await eventually(async () => (await world.metric('busbar_gateway_unconfirmed')) === 1);
    stopped = world.stopGateway();
    clock.advance(2_000);
    release();
    await pass();
    expect(await answer).toMatchObject({ kind: 'result' });
    expect(charger?.closed()).toMatchObject({ code: 1001 });
  });

  it('awaits the answer to a CALL of ours before it closes the socket', async () => {
    await open({ drainS: 0 });
    const [charger] = await connect(1);
    charger?.answer('ClearCache', () => ({ kind: 'silence' }));
    const outcome = world.command(idOf(world), 'ClearCache');
    const call = await charger?.waitForCall('ClearCache');
    stopped = world.stopGateway();
    clock.advance(2_000);
    charger?.send(JSON.stringify([3, call?.messageId, { status: 'Accepted' }]));
    expect(await outcome).toMatchObject({ outcome: 'answered' });
    await pass();
    expect(charger?.closed()).toMatchObject({ code: 1001 });
  });

  it('closes a socket whose charger does not answer after 3 s', async () => {
    await open({ drainS: 0 });
    const [charger] = await connect(1);
    charger?.answer('ClearCache', () => ({ kind: 'silence' }));
    const outcome = world.command(idOf(world), 'ClearCache');
    await charger?.waitForCall('ClearCache');
    stopped = world.stopGateway();
    clock.advance(2_950);
    expect(charger && isOpen(charger)).toBe(true);
    clock.advance(50);
    expect(await charger?.waitForClose()).toMatchObject({ code: 1001 });
    expect(await outcome).toMatchObject({ outcome: 'disconnected' });
  });

  it('says in its lease that it stops from the request on, while it still accepts chargers', async () => {
    clock = createFakeClock();
    let isRequested = false;
    world = await openWorld({ clock, stopRequested: () => isRequested });
    stopped = undefined;
    const leases: unknown[] = [];
    await world.broker.listen(channels.leases, ({ stopping }) => void leases.push(stopping));
    clock.advance(5_000);
    await eventually(() => leases.at(-1) === false);
    isRequested = true;
    clock.advance(5_000);
    await eventually(() => leases.at(-1) === true);
    await connect(1);
    expect(world.isReady()).toBe(true);
    stopped = world.stopGateway();
  });
});
