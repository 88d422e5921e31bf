// What a real server does not show on demand: one queue of many that cannot be consumed. Channels are stand-ins.
import { EventEmitter } from 'node:events';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Channel } from 'amqplib';
import type { AmqpSession } from './session';
import { settingsOf } from './settings';
import { createSubscribers } from './subscribers';

describe('the subscriptions of a new session', () => {
  it('are opened but for one whose queue has no leader, which is tried until it has', async () => {
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

  it('are none where no queue can be consumed', async () => {
    const { session, ill, subscribers } = await openWorld(['a', 'b'], { mayLag: true });
    for (const what of ['a', 'b']) ill.add(what);
    await expect(subscribers.openAll(session)).rejects.toThrow('no queue can be consumed');
  });

  it('are none where one cannot be opened that must not lag', async () => {
    const { session, ill, subscribers } = await openWorld(['a', 'b'], {});
    ill.add('b');
    await expect(subscribers.openAll(session)).rejects.toThrow('no leader');
  });

  it('are made anew when one has failed a hundred times', async () => {
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
