// The gateway's part of "When a part is unavailable" in ARCHITECTURE.md, on a real RabbitMQ that is killed and restarted.
import { createId } from '@busbar/core';
import { describeWithRabbit, eventually, UpgradeRejected, type PrivateServer } from '@busbar/testing';
import { idOf, openWorld, type GatewayWorld, type WorldOptions } from './testing/open-world';

const FAULT_MS = 120_000;
/** RabbitMQ 3.10 may lose the leader of a queue that is younger than this when it is killed. */
const YOUNG_QUEUES_MS = 6_000;
const STATUS = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
const START = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T00:00:00Z' };

describeWithRabbit('a gateway', (rabbit) => {
  let world: GatewayWorld;
  let firstDeclaredAt: number | undefined;
  let isDown = false;
  const isOurs = (server: PrivateServer): boolean => server.pid() !== undefined;

  async function open(options: WorldOptions): Promise<void> {
    world = await openWorld({ brokerUrl: rabbit().url, ...options });
    firstDeclaredAt ??= Date.now();
  }
  async function kill(): Promise<void> {
    await eventually(() => Date.now() - (firstDeclaredAt ?? 0) > YOUNG_QUEUES_MS);
    isDown = true;
    await rabbit().kill();
    await eventually(() => !world.broker.ready());
  }
  async function restart(): Promise<void> {
    await rabbit().restart();
    isDown = false;
    await eventually(() => world.broker.ready(), 60_000);
  }
  afterEach(async () => {
    await world.close();
    // After a test that failed in the middle of an outage.
    if (isDown) await rabbit().restart();
    isDown = false;
  }, FAULT_MS);
  const logged = (text: string) =>
    world.logger.lines.filter(({ level, message }) => level !== 'debug' && message.includes(text));

  it(
    'keeps sockets open without RabbitMQ, answers held calls with InternalError and upgrades with 503, and recovers',
    async () => {
      await open({ limits: { holdMs: 500 } });
      if (!isOurs(rabbit())) return;
      const charger = await world.connect();
      await charger.heartbeat();
      const chargerId = idOf(world);
      await kill();

      for (const [action, payload] of [['StatusNotification', STATUS] as const, ['StartTransaction', START] as const]) {
        expect(await charger.call(action, payload)).toMatchObject({ kind: 'error', code: 'InternalError' });
      }
      const rejected = await world.connect().catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(UpgradeRejected);
      expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) as string } });
      expect(await world.metric('busbar_gateway_upgrades_total{result="broker_unavailable"}')).toBe(1);
      expect(await world.metric('busbar_gateway_failed_calls_total')).toBe(2);
      expect(await world.metric('busbar_gateway_held_seconds')).toBeGreaterThanOrEqual(0);
      expect(charger.closed()).toBeUndefined();

      await restart();
      expect(await charger.heartbeat()).toHaveProperty('currentTime');
      expect(await charger.call('StartTransaction', START)).toMatchObject({ kind: 'result' });
      // The gateway requests the rejected status again by itself.
      expect(await charger.waitForCall('TriggerMessage')).toMatchObject({
        payload: { requestedMessage: 'StatusNotification' },
      });
      expect(await world.command(chargerId, 'ClearCache')).toMatchObject({ outcome: 'answered' });
      await world.connect();
      for (const text of ['the broker does not accept reports', 'chargers cannot connect']) {
        // Once, or once for each reason: not once for each call and charger.
        const reasons = logged(text).map(({ fields }) => fields['reason']);
        expect(reasons.length).toBeGreaterThan(0);
        expect(reasons).toEqual([...new Set(reasons)]);
      }
      await eventually(() => logged('the broker accepts reports again').length === 1);
      await eventually(() => logged('chargers can connect again').length === 1);
    },
    FAULT_MS,
  );

  it(
    'closes sockets with a rejected transaction message with 1013 after a long outage of RabbitMQ, and no others',
    async () => {
      await open({ limits: { holdMs: 300, longOutageMs: 2_000 } });
      if (!isOurs(rabbit())) return;
      const [inSession, idle] = [await world.connect(), await world.connect()];
      await Promise.all([inSession.heartbeat(), idle.heartbeat()]);
      await kill();
      expect(await idle.call('StatusNotification', STATUS)).toMatchObject({ code: 'InternalError' });
      expect(await inSession.call('StartTransaction', START)).toMatchObject({ code: 'InternalError' });
      expect(await inSession.waitForClose()).toMatchObject({ code: 1013 });
      expect(idle.closed()).toBeUndefined();
      expect(await world.metric('busbar_gateway_closed_for_outage_total')).toBe(1);
      await restart();
      expect(await idle.heartbeat()).toHaveProperty('currentTime');
    },
    FAULT_MS,
  );

  it.each([
    ['messages', { maxUnconfirmed: 100 }],
    ['bytes', { maxUnconfirmedCharacters: 200_000 }],
  ])(
    'pauses reading at too many unconfirmed %s, and answers everything after the outage',
    async (_what, limits) => {
      await open({ limits: { holdMs: 600_000, ...limits } });
      if (!isOurs(rabbit())) return;
      const chargers = await Promise.all(Array.from({ length: 6 }, () => world.connect({ callTimeoutMs: 100_000 })));
      await Promise.all(chargers.map((charger) => charger.heartbeat()));
      await kill();
      const payload = { vendorId: 'v', data: 'x'.repeat(2_000) };
      const calls = chargers.flatMap((charger) =>
        Array.from({ length: 200 }, () => charger.call('DataTransfer', payload)),
      );
      await eventually(async () => (await world.metric('busbar_gateway_paused_sockets')) === chargers.length);
      // The last read of each socket may add up to 64 KiB.
      expect(await world.metric('busbar_gateway_unconfirmed')).toBeLessThanOrEqual(100 + chargers.length * 33);
      expect(logged('reading from chargers pauses')).toHaveLength(1);

      await restart();
      expect(new Set((await Promise.all(calls)).map(({ kind }) => kind))).toEqual(new Set(['result']));
      await eventually(async () => (await world.metric('busbar_gateway_unconfirmed')) === 0);
      expect(await world.metric('busbar_gateway_paused_sockets')).toBe(0);
    },
    FAULT_MS,
  );

  it('answers reports, rejects decisions with InternalError and upgrades with 503 while charger-state is unavailable', async () => {
    await open({ limits: { holdMs: 500 } });
    const charger = await world.connect();
    await charger.heartbeat();
    await world.chargerStateLeaves();
    expect(await charger.call('StatusNotification', STATUS)).toMatchObject({ kind: 'result' });
    expect(await charger.call('StartTransaction', START)).toMatchObject({ kind: 'error', code: 'InternalError' });
    const rejected = await world
      .connect({ url: `${world.origin}/ocpp/${createId()}` })
      .catch((error: unknown) => error);
    expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) as string } });
    expect(await world.metric('busbar_gateway_upgrades_total{result="charger_state_unavailable"}')).toBe(1);
    expect(charger.closed()).toBeUndefined();
  });
});
