// Queues that a server cannot declare while it declares others. The session is a stand-in.
import { EventEmitter } from 'node:events';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { testQueue } from '../contract/fixtures.contract';
import { createOpenSubscriptions } from '../open-subscriptions';
import { createAmqpQueues } from './amqp-queues';
import { createConfirmedPublisher } from './confirmed-publisher';
import type { Link } from './link';
import type { AmqpSession } from './session';
import { settingsOf } from './settings';
import { createSubscribers } from './subscribers';

describe('the set of queues of a broker', () => {
  it('declares all queues but one without a leader on a new session', async () => {
    const { queues, session, channel, asserted, ill } = openWorld();
    await queues.port.declareQueue(channel, 3);
    asserted.length = 0;
    ill.push(`${channel.name}.1`);
    await queues.declareAll(session);
    expect(new Set(asserted)).toEqual(new Set([`${channel.name}.0`, `${channel.name}.2`]));
  });

  it('fails when no queue can be declared on a new session', async () => {
    const { queues, session, channel, ill } = openWorld();
    await queues.port.declareQueue(channel, 3);
    ill.push(...[0, 1, 2].map((n) => `${channel.name}.${String(n)}`));
    await expect(queues.declareAll(session)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rejects a requested declaration when one of its queues has no leader', async () => {
    const { queues, channel, ill } = openWorld();
    ill.push(`${channel.name}.1`);
    await expect(queues.port.declareQueue(channel, 3)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rejects a request for the depth while the connection is lost', async () => {
    const { queues, session, channel } = openWorld();
    session.openChannel = () => Promise.reject(new Error('Channel ended, no reply will be forthcoming'));
    await expect(queues.port.depth(channel, 0)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

function openWorld() {
  const channel = { ...testQueue(), partitioned: true };
  const settings = settingsOf({ url: 'amqp://x', logger: createRecordingLogger(), clock: createFakeClock() });
  const asserted: string[] = [];
  const ill: string[] = [];
  const openChannel = () => {
    const opened = new EventEmitter();
    return Promise.resolve(
      Object.assign(opened, {
        assertQueue(name: string) {
          if (ill.includes(name)) return Promise.reject(new Error('no leader'));
          asserted.push(name);
          return Promise.resolve();
        },
        close: () => Promise.resolve(void opened.emit('close')),
      }),
    );
  };
  const session = { openChannel, alive: () => true } as unknown as AmqpSession;
  const link = { current: () => session, whenUp: () => Promise.resolve(session) } as unknown as Link;
  const queues = createAmqpQueues({
    settings,
    link,
    mustRun: () => undefined,
    subscriptions: createOpenSubscriptions(),
    publisher: createConfirmedPublisher(settings),
    subscribers: createSubscribers(settings),
  });
  return { queues, session, channel, asserted, ill };
}
