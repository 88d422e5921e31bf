import { systemClock, timeOfId } from '@busbar/core';
import { eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

let world: GatewayWorld;
afterEach(() => world.close());

it('makes the id of each report from the time of its receipt', async () => {
  let reads = 0;
  // Each look at the clock is a millisecond later than the one before.
  const clock = { ...systemClock, now: () => new Date(Date.now() + (reads += 1)) };
  world = await openWorld({ clock });
  const charger = await world.connect();
  await charger.boot();
  await charger.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
  await charger.call('NoSuchAction', {}).catch(() => undefined);
  const { chargerId } = await world.waitFor(({ kind }) => kind === 'connected');
  charger.answer('ClearCache', () => ({ status: 'Accepted' }));
  await world.command(chargerId, 'ClearCache');
  charger.terminate();
  await world.waitFor(({ kind }) => kind === 'disconnected');
  const kinds = () => new Set(world.reports.map(({ kind }) => kind));
  await eventually(() => kinds().size === 6);
  expect([...kinds()].sort()).toEqual(['connected', 'decision', 'disconnected', 'log_only', 'outcome', 'report']);
  for (const { kind, id, receivedAt } of world.reports) {
    expect([kind, timeOfId(id)]).toEqual([kind, Date.parse(receivedAt)]);
  }
});
