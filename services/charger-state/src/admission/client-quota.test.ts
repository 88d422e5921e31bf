import { createFakeClock } from '@busbar/testing';
import type { Charger } from '@busbar/domain/chargers';
import { createClientQuota } from './client-quota';

describe('how many chargers a client may have connected', () => {
  const charger = (chargerId: string, active = false): Charger =>
    ({ chargerId, clientId: 'client', connection: { active } }) as unknown as Charger;

  it('is any number where there is no bound, and nothing is counted', async () => {
    const countConnected = jest.fn(() => Promise.resolve(1_000_000));
    const room = createClientQuota({ countConnected }, createFakeClock(), 0);
    expect(await room.has(charger('A'))).toBe(true);
    expect(countConnected).not.toHaveBeenCalled();
  });

  it('is what is stored and who was let in since; who is connected or comes again takes its own place', async () => {
    const clock = createFakeClock();
    let stored = 1;
    const room = createClientQuota({ countConnected: () => Promise.resolve(stored) }, clock, 3);
    expect(await room.has(charger('A'))).toBe(true);
    expect(await room.has(charger('B'))).toBe(true);
    expect(await room.has(charger('C'))).toBe(false);
    expect(await room.has(charger('B'))).toBe(true);
    expect(await room.has(charger('D', true))).toBe(true);
    stored = 2;
    clock.advance(2_000);
    expect(await room.has(charger('C'))).toBe(true);
    expect(await room.has(charger('E'))).toBe(false);
  });
});
