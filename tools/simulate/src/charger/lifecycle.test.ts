import { eventually } from '@busbar/testing';
import { openCharger } from '../testing/open-charger';

const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => {
    mockWaits.push(ms);
    return Promise.resolve();
  },
}));

it('waits longer while the service ends each connection soon after the boot', async () => {
  const { charger, failures, endConnection } = await openCharger();
  for (let ends = 1; ends <= 4; ends += 1) {
    endConnection({ code: 1000, reason: 'replaced' });
    await eventually(() => mockWaits.length === ends && charger.isOnline());
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = mockWaits;
  expect(first).toBeGreaterThanOrEqual(375);
  expect(second).toBeGreaterThan(first);
  expect(third).toBeGreaterThan(second);
  expect(fourth).toBeGreaterThan(third);
  expect(failures).toHaveLength(4);
  expect(failures[0]).toMatch(/^another connection with this charger id took its place/);
});

it('begins the waits anew after a restart that the charger wanted', async () => {
  mockWaits.length = 0;
  const { charger, endConnection } = await openCharger();
  endConnection({ code: 1006, reason: '' });
  await eventually(() => mockWaits.length === 1 && charger.isOnline());
  await charger.restart({ waitMs: 7 });
  await eventually(() => mockWaits.length === 2 && charger.isOnline());
  endConnection({ code: 1006, reason: '' });
  await eventually(() => mockWaits.length === 3 && charger.isOnline());
  expect(mockWaits[1]).toBe(7);
  expect(mockWaits[2]).toBeLessThanOrEqual(500);
});
