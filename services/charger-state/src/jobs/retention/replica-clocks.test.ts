import { createMemoryBroker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createReplicaClocks } from './replica-clocks';

it('gives the time of every other replica that sent a notice in the last thirty seconds', async () => {
  const clock = createFakeClock();
  const broker = createMemoryBroker({ clock, logger: createRecordingLogger() });
  await broker.start();
  const clocks = createReplicaClocks({ broker, clock, replicaId: 'self' });
  await clocks.start();
  const send = (replicaId: string, at: string) => broker.broadcast(channels.replicas, { replicaId, state: 'here', at });
  send('self', '2030-01-01T00:00:00.000Z');
  send('unreadable', 'yesterday');
  send('other', '2026-07-01T00:00:00.000Z');
  await eventually(() => clocks.times().length === 1);
  clock.advance(20_000);
  expect(clocks.times()).toEqual([Date.parse('2026-07-01T00:00:20.000Z')]);
  clock.advance(11_000);
  expect(clocks.times()).toEqual([]);
  await clocks.stop();
  await broker.stop();
});
