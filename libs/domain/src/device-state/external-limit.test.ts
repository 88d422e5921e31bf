import { limitsInForce, withExternalLimit, type ExternalLimit } from './external-limit';

const limit = { at: '2026-01-01T00:00:00.000Z', isGridCritical: false, isLocalGeneration: false, chargingSchedule: [] };
const set = (seq: number, socketId: number | null = 1, source = 'EMS'): ExternalLimit => {
  return { source, socketId, position: [1, seq], limit };
};
const clear = (seq: number, socketId: number | null = 1): ExternalLimit => ({
  source: 'EMS',
  socketId,
  position: [1, seq],
});
const all = (...limits: readonly ExternalLimit[]) => limits.reduce<readonly ExternalLimit[]>(withExternalLimit, []);

it.each<[string, readonly ExternalLimit[], number]>([
  ['that is cleared for the whole charger', [set(1), set(2, 2), clear(3, null)], 0],
  ['that is set after it was cleared', [clear(1, null), set(2)], 1],
  ['that is cleared elsewhere', [set(1), clear(2, 2)], 1],
  ['of the whole charger, where one of a socket is cleared', [set(1, null), clear(2)], 1],
  ['that was cleared before it is reported, by a later message', [clear(5), set(4)], 0],
  ['that was cleared everywhere before it is reported, by a later message', [clear(5, null), set(4)], 0],
  ['whose clearing is reported late', [set(5), clear(4)], 1],
])('159. has a limit %s: %#', (_title, limits, count) => {
  expect(limitsInForce(all(...limits))).toHaveLength(count);
});

it('159. keeps 32 limits, and no schedules of one that is too long', () => {
  const limits = all(...Array.from({ length: 40 }, (_, n) => set(n, n)));
  expect([limits.length, limits[0]?.socketId]).toEqual([32, 8]);
  const long = { ...limit, chargingSchedule: [{ text: 'x'.repeat(30_000) }] };
  expect(all({ ...set(1), limit: long })[0]?.limit?.chargingSchedule).toEqual([]);
});
