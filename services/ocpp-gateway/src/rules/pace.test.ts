import { eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

describe('a charger that talks faster than it may', () => {
  let world: GatewayWorld;

  afterEach(() => world.close());

  it('is read more slowly: all that it sent is answered, in order, and others are not held', async () => {
    world = await openWorld({ settings: { maxMessagesPerS: 20 } });
    const fast = await world.connect();
    const answers = Array.from({ length: 60 }, (_, i) => fast.call('Heartbeat', {}, `fast-${String(i)}`));
    await eventually(async () => (await world.metric('busbar_gateway_paused_sockets')) === 1);
    const other = await world.connect();
    expect(await other.heartbeat()).toHaveProperty('currentTime');
    expect((await Promise.all(answers)).every(({ kind }) => kind === 'result')).toBe(true);
    const order = fast.frames.filter(({ from }) => from === 'service').map(({ text }) => /fast-\d+/.exec(text)?.[0]);
    expect(order).toEqual(Array.from({ length: 60 }, (_, i) => `fast-${String(i)}`));
    await eventually(async () => (await world.metric('busbar_gateway_paused_sockets')) === 0);
    expect(await fast.heartbeat()).toHaveProperty('currentTime');
  });

  it('is held by the bytes of its frames as well', async () => {
    world = await openWorld({ settings: { maxBytesPerS: 50_000 } });
    const charger = await world.connect();
    await charger.ask('DataTransfer', { vendorId: 'X', data: 'a'.repeat(60_000) });
    expect(await world.metric('busbar_gateway_paused_sockets')).toBe(1);
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
  });
});
