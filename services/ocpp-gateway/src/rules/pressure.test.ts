import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const CHARGERS = 30;
const MOST = 100;

describe('backpressure', () => {
  let world: GatewayWorld;
  let chargers: readonly ScriptedCharger[];

  async function open(holdMs: number): Promise<void> {
    world = await openWorld({ limits: { maxUnconfirmed: MOST, holdMs } });
    chargers = await Promise.all(Array.from({ length: CHARGERS }, () => world.connect()));
    await Promise.all(chargers.map((charger) => charger.heartbeat()));
  }
  const unconfirmed = (): Promise<number> => world.metric('busbar_gateway_unconfirmed');
  const paused = (): Promise<number> => world.metric('busbar_gateway_paused_sockets');
  const push = (each: number) =>
    chargers.flatMap((charger) => Array.from({ length: each }, () => charger.call('Heartbeat', {})));
  afterEach(() => world.close());

  it('pauses reading from all sockets, so that memory does not grow with their number', async () => {
    await open(600_000);
    const release = world.hold();
    const each = 50;
    const calls = push(each);
    await eventually(async () => (await paused()) === CHARGERS);
    // The one frame too many, and what had been read of its socket together with it.
    expect(await unconfirmed()).toBeLessThan(MOST + each);
    release();
    expect((await Promise.all(calls)).every(({ kind }) => kind === 'result')).toBe(true);
    await eventually(async () => (await paused()) === 0);
  });

  it('resumes a few sockets at a time, in order, when calls expire', async () => {
    await open(300);
    const release = world.hold();
    const each = 20;
    let highest = 0;
    const look = setInterval(() => void unconfirmed().then((now) => (highest = Math.max(highest, now))), 5);
    // Far from all fit at a time, and every one is answered all the same.
    const answers = await Promise.all(push(each));
    clearInterval(look);
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['error']));
    expect(highest).toBeLessThan((CHARGERS * each) / 2);
    release();
    for (const charger of chargers) expect(await charger.heartbeat()).toHaveProperty('currentTime');
  });

  it('pauses a charger that connects meanwhile, and serves it afterwards', async () => {
    await open(600_000);
    const release = world.hold();
    const calls = push(50);
    await eventually(async () => (await paused()) === CHARGERS);
    const late = await world.connect();
    await eventually(async () => (await paused()) === CHARGERS + 1);
    release();
    expect(await late.heartbeat()).toHaveProperty('currentTime');
    await Promise.all(calls);
  });

  it('removes a connection that ends meanwhile', async () => {
    await open(600_000);
    const release = world.hold();
    const calls = push(50);
    await eventually(async () => (await paused()) === CHARGERS);
    const gone = chargers[0];
    if (gone === undefined) throw new Error('no chargers');
    gone.terminate();
    const outcomes = Promise.allSettled(calls);
    release();
    await eventually(async () => (await world.metric('busbar_gateway_connections')) === CHARGERS - 1);
    await outcomes;
    await eventually(async () => (await paused()) === 0);
    for (const charger of chargers.slice(1)) expect(await charger.heartbeat()).toHaveProperty('currentTime');
  });
});
