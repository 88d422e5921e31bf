// One queue of many that cannot be consumed: a real server does not show this on demand. Channels are stand-ins.
import { EventEmitter } from 'node:events';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Channel } from 'amqplib';
import type { AmqpSession } from './session';
import { settingsOf } from './settings';
import { createSubscribers } from './subscribers';

describe('opening the subscriptions of a new session', () => {
  it('opens all subscriptions but one whose queue has no leader, and retries that one', async () => {
    const { clock, session, opened, ill, subscribers } = await openWorld(['a', 'b', 'c'], { mayLag: true });
    ill.add('b');
    await subscribers.openAll(session);
    expect(opened).toEqual(['a', 'c']);
    ill.delete('b');
    await eventually(() => {
      clock.advance(5_000);
      return opened.length === 3;
    });
    expect(opened).toEqual(['a', 'c', 'b']);
  });

  it('fails when no queue can be consumed', async () => {
    const { session, ill, subscribers } = await openWorld(['a', 'b'], { mayLag: true });
    for (const what of ['a', 'b']) ill.add(what);
    await expect(subscribers.openAll(session)).rejects.toThrow('no queue can be consumed');
  });

  it('fails when a subscription that must not lag cannot be opened', async () => {
    const { session, ill, subscribers } = await openWorld(['a', 'b'], {});
    ill.add('b');
    await expect(subscribers.openAll(session)).rejects.toThrow('no leader');
  });

  it('abandons the session after a hundred failures of one subscription', async () => {
    const { clock, session, ill, abandoned, subscribers } = await openWorld(['a', 'b'], { mayLag: true });
    ill.add('b');
    await subscribers.openAll(session);
    await eventually(() => {
      clock.advance(5_000);
      return abandoned.length > 0;
    });
    expect(abandoned).toEqual(['b cannot be subscribed']);
  });
});

describe('a subscription', () => {
  it('ignores a late failure of an attempt on the previous session', async () => {
    const world = await openOne();
    const [one, two] = [world.session(), world.session()];
    const opening = world.subscribers.openAll(one.session).catch((error: unknown) => error);
    await eventually(() => world.attempts.length === 1);
    one.dies();
    world.subscribers.detach();
    const again = world.subscribers.openAll(two.session);
    await eventually(() => world.attempts.length === 2);
    world.attempts[1]?.succeed();
    await again;
    world.attempts[0]?.fail();
    expect(await opening).toMatchObject({ message: 'no leader' });
    expect(world.consumes()).toBe(true);
    // The failed attempt does not keep the subscription from being reopened.
    await two.channels[0]?.close();
    expect(world.consumes()).toBe(false);
    await eventually(() => {
      world.clock.advance(5_000);
      return world.attempts.length === 3;
    });
  });

  it('ignores a late success or end of an attempt on the previous session', async () => {
    const world = await openOne();
    const [one, two, three] = [world.session(), world.session(), world.session()];
    const giveChannel = one.holdChannels();
    const late = [world.subscribers.openAll(one.session)];
    one.dies();
    world.subscribers.detach();
    late.push(world.subscribers.openAll(two.session));
    await eventually(() => world.attempts.length === 1);
    two.dies();
    world.subscribers.detach();
    const again = world.subscribers.openAll(three.session);
    await eventually(() => world.attempts.length === 2);
    world.attempts[1]?.succeed();
    await again;
    giveChannel();
    world.attempts[0]?.succeed();
    for (const opening of late) await expect(opening).rejects.toThrow();
    expect([one, two, three].map(({ channels }) => channels.map(({ isClosed }) => isClosed()))).toEqual([
      [true],
      [true],
      [false],
    ]);
    expect(world.attempts).toHaveLength(2);
  });

  it('reopens a subscription once when its channel closes while it opens', async () => {
    const world = await openOne();
    const { session, channels } = world.session();
    const opening = world.subscribers.openAll(session);
    await eventually(() => world.attempts.length === 1);
    await channels[0]?.close();
    world.attempts[0]?.fail();
    await opening;
    await eventually(() => {
      world.clock.advance(5_000);
      return world.attempts.length > 1;
    });
    world.attempts[1]?.succeed();
    await eventually(() => world.consumes());
    world.clock.advance(600_000);
    await quiet();
    expect(world.attempts).toHaveLength(2);
    expect(channels).toHaveLength(2);
  });
});

/** Resolves when the callbacks that are due have run. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

/** One subscription whose attempts the test ends. */
async function openOne() {
  const clock = createFakeClock();
  const subscribers = createSubscribers(settingsOf({ url: 'amqp://x', logger: createRecordingLogger(), clock }));
  const attempts: { succeed(): void; fail(): void }[] = [];
  let consumes = false;
  await subscribers.add({
    what: 'queue',
    mayLag: true,
    open: () =>
      new Promise<void>((resolve, reject) => {
        const succeed = () => {
          consumes = true;
          resolve();
        };
        attempts.push({ succeed, fail: () => reject(new Error('no leader')) });
      }),
    closed: () => void (consumes = false),
  });
  return { clock, subscribers, attempts, consumes: () => consumes, session: standInSession };
}

function standInSession() {
  const channels: { close(): Promise<void>; isClosed(): boolean }[] = [];
  let isUp = true;
  let held = Promise.resolve();
  const openChannel = async () => {
    await held;
    let isClosed = false;
    const emitter = new EventEmitter();
    const close = () => {
      if (!isClosed) {
        isClosed = true;
        emitter.emit('close');
      }
      return Promise.resolve();
    };
    const channel = Object.assign(emitter, { close, isClosed: () => isClosed });
    channels.push(channel);
    return channel as unknown as Channel;
  };
  return {
    channels,
    session: { openChannel, alive: () => isUp, abandon: () => undefined } as unknown as AmqpSession,
    dies: () => void (isUp = false),
    holdChannels() {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
  };
}

async function openWorld(names: readonly string[], lag: { readonly mayLag?: boolean }) {
  const clock = createFakeClock();
  const subscribers = createSubscribers(settingsOf({ url: 'amqp://x', logger: createRecordingLogger(), clock }));
  const opened: string[] = [];
  const abandoned: string[] = [];
  const ill = new Set<string>();
  for (const what of names) {
    await subscribers.add({
      what,
      ...lag,
      open() {
        if (ill.has(what)) return Promise.reject(new Error('no leader'));
        opened.push(what);
        return Promise.resolve();
      },
      closed: () => undefined,
    });
  }
  const openChannel = () => {
    const channel = new EventEmitter();
    const close = () => Promise.resolve(void channel.emit('close'));
    return Promise.resolve(Object.assign(channel, { close }) as unknown as Channel);
  };
  const session = {
    openChannel,
    alive: () => abandoned.length === 0,
    abandon: (reason: string) => void abandoned.push(reason),
  } as unknown as AmqpSession;
  return { clock, session, opened, abandoned, ill, subscribers };
}
