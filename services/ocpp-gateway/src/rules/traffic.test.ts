import type { Clock } from '@busbar/core';
import { createFakeClock, eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const PAUSED = 'busbar_gateway_paused_sockets';

describe('a charger above its rate limit', () => {
  let world: GatewayWorld;

  afterEach(() => world.close());

  const url = (chargerId: string) => `${world.origin}/ocpp/${chargerId}`;
  /** Two minutes and more of debt, where 1,000 bytes a second are the limit. */
  const HEAVY = `[2,"heavy","Heartbeat",{${' '.repeat(150_000)}}]`;
  const isPaused = () => eventually(async () => (await world.metric(PAUSED)) === 1);
  const isRead = () => eventually(async () => (await world.metric(PAUSED)) === 0);

  it('is read more slowly: all its CALLs are answered in order, and others are not affected', async () => {
    world = await openWorld({ settings: { maxMessagesPerS: 20 } });
    const fast = await world.connect({ logLength: 2_000 });
    const answers = Array.from({ length: 220 }, (_, i) => fast.call('Heartbeat', {}, `fast-${String(i)}`));
    await isPaused();
    const other = await world.connect();
    expect(await other.heartbeat()).toHaveProperty('currentTime');
    expect((await Promise.all(answers)).every(({ kind }) => kind === 'result')).toBe(true);
    const order = fast.frames.filter(({ from }) => from === 'service').map(({ text }) => /fast-\d+/.exec(text)?.[0]);
    expect(order).toEqual(Array.from({ length: 220 }, (_, i) => `fast-${String(i)}`));
    await isRead();
    expect(await fast.heartbeat()).toHaveProperty('currentTime');
    expect(await world.metric('busbar_gateway_rate_limited_total')).toBeGreaterThan(0);
  });

  it('is limited by the bytes of its frames as well', async () => {
    const clock = createFakeClock();
    world = await openWorld({ clock, settings: { maxBytesPerS: 20_000 } });
    const charger = await world.connect();
    await charger.ask('DataTransfer', { vendorId: 'X', data: 'a'.repeat(150_000) });
    expect(await world.metric(PAUSED)).toBe(0);
    await charger.ask('DataTransfer', { vendorId: 'X', data: 'a'.repeat(150_000) });
    expect(await world.metric(PAUSED)).toBe(1);
    const answer = charger.heartbeat();
    clock.advance(10_000);
    expect(await answer).toHaveProperty('currentTime');
  });

  it('is limited by the inflated size of its frames, until the debt is paid', async () => {
    const clock = createFakeClock();
    world = await openWorld({ clock, settings: { maxBytesPerS: 262_144, pingIntervalS: 3_600 } });
    const charger = await world.connect({ url: url('DEFLATES'), perMessageDeflate: true });
    expect(charger.extensions).toContain('permessage-deflate');
    const frame = (i: number) => `[2,"${String(i)}","Heartbeat",{${' '.repeat(240_000)}}]`;
    for (let i = 0; i < 40; i += 1) charger.send(frame(i));
    await isPaused();
    const oversized = () => world.reports.filter(({ rawBytes }) => rawBytes !== undefined);
    const inflated = await eventually(() => {
      const bytes = oversized().reduce((sum, { rawBytes = 0 }) => sum + rawBytes, 0);
      return bytes > 2_621_440 && bytes;
    });
    // More may be read by now, never less.
    clock.advance(((inflated - 2_621_440) / 262_144) * 1_000 - 100);
    expect(await world.metric(PAUSED)).toBe(1);
    await eventually(() => {
      clock.advance(10_000);
      return oversized().length === 40;
    });
  });

  it('is limited after it has reconnected', async () => {
    const clock = createFakeClock();
    world = await openWorld({ clock, settings: { maxBytesPerS: 1_000, pingIntervalS: 3_600 } });
    const first = await world.connect({ url: url('RECONNECTS') });
    first.send(HEAVY);
    await isPaused();
    const second = await world.connect({ url: url('RECONNECTS') });
    const answer = second.heartbeat();
    await first.ended;
    expect(await world.metric(PAUSED)).toBe(1);
    clock.advance(150_000);
    expect(await answer).toHaveProperty('currentTime');
  });

  it('releases the memory of its closed connections before its debt is paid', async () => {
    const fake = createFakeClock();
    const waits: number[] = [];
    const clock: Clock = { ...fake, after: (ms, run) => (waits.push(ms), fake.after(ms, run)) };
    world = await openWorld({ clock, settings: { maxBytesPerS: 1_000, pingIntervalS: 3_600 } });
    const first = await world.connect({ url: url('LOOPS') });
    first.send(HEAVY);
    await isPaused();
    await world.connect({ url: url('LOOPS') });
    await first.ended;
    // A timer holds on to what it was started for.
    expect(waits.filter((ms) => ms > 60_000)).toEqual([]);
  });

  it('is not terminated as silent meanwhile', async () => {
    const clock = createFakeClock();
    world = await openWorld({ clock, settings: { maxBytesPerS: 1_000 } });
    const charger = await world.connect();
    charger.send(HEAVY);
    await isPaused();
    clock.advance(135_000);
    expect(await world.metric(PAUSED)).toBe(1);
    expect(charger.closed()).toBeUndefined();
    clock.advance(10_000);
    await isRead();
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
  });

  it('is disconnected meanwhile when pings fail', async () => {
    const clock = createFakeClock();
    world = await openWorld({ clock, settings: { maxBytesPerS: 300, pingIntervalS: 1 } });
    const charger = await world.connect({ url: url('LEAVES') });
    charger.send(HEAVY);
    await isPaused();
    charger.terminate();
    // Eight minutes of debt are not over before this gives up.
    await eventually(() => {
      clock.advance(200);
      return world.reports.some(({ kind }) => kind === 'disconnected');
    });
  });

  it('has its CALLRESULTs processed and counted as messages', async () => {
    world = await openWorld({ settings: { maxMessagesPerS: 20 } });
    const charger = await world.connect({ url: url('OURS') });
    for (let i = 0; i < 210; i += 1) charger.send(`[2,"${String(i)}","Heartbeat",{}]`);
    expect(await world.command('OURS', 'Reset', { type: 'Soft' })).toMatchObject({ outcome: 'answered' });
  });
});
