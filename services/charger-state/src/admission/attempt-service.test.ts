import { channels, type ConnectionAttempt } from '@busbar/contracts';
import { createId } from '@busbar/core';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';

let world: ChargerStateWorld;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const NEWEST = { page: 1, limit: 100, sortKey: 'at', sortDescending: true } as const;

function attempt(chargerId: string | null): ConnectionAttempt {
  const common = { remoteAddress: '198.51.100.7', protocols: ['ocpp1.6'], requestId: 'r', count: 1 };
  return { id: createId(), chargerId, reason: 'unauthorized', at: new Date().toISOString(), ...common };
}

it('stores rejected attempts with the client that owns the charger, and once', async () => {
  const { chargerId } = await world.register();
  const attempts = [attempt(chargerId), attempt('NOBODYS'), attempt(null)];
  const { broker, records } = world.platform;
  for (let n = 0; n < 2; n += 1) {
    const outcome = await broker.request(channels.connectionAttempts, '', { attempts }, 5_000);
    expect(outcome).toEqual({ outcome: 'answered', answer: { stored: 3 } });
  }
  const { items } = await records.connectionAttempts.list({}, NEWEST);
  expect(new Set(items.map((each) => `${String(each.chargerId)} ${String(each.clientId)}`))).toEqual(
    new Set([`${chargerId} ${world.clientId}`, 'NOBODYS null', 'null null']),
  );
  const own = await records.connectionAttempts.list({ clientId: world.clientId }, NEWEST);
  expect(own.items).toMatchObject([{ attemptId: attempts[0]?.id, chargerId, reason: 'unauthorized' }]);
});
