import { createFakeClock } from '@busbar/testing';
import type { Charger } from '@busbar/domain/chargers';
import { createClientQuota } from './client-quota';

describe("the limit of a client's connected chargers", () => {
  const charger = (chargerId: string, active = false): Charger =>
    ({ chargerId, clientId: 'client', connection: { active } }) as unknown as Charger;

  it('does not apply, and counts nothing, when it is 0', async () => {
    const countConnected = jest.fn(() => Promise.resolve(1_000_000));
    const room = createClientQuota({ countConnected }, createFakeClock(), 0);
    expect(await room.has(charger('A'))).toBe(true);
    expect(countConnected).not.toHaveBeenCalled();
  });

  it('counts stored connections and admissions since; a connected charger may reconnect', async () => {
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
