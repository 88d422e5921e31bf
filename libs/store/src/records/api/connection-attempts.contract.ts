// The contract of rejected connection attempts for every adapter.
import type { Records } from '@busbar/domain';
import type { ConnectionAttempt } from '@busbar/domain/chargers';
import type { Store } from '../../port';
import { createRecords } from '../create-records';

const NEWEST = { page: 1, limit: 100, sortKey: 'at', sortDescending: true } as const;

function attemptAt(second: number, over: Partial<ConnectionAttempt> = {}): ConnectionAttempt {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const common = { remoteAddress: '198.51.100.7', reason: 'unauthorized', protocols: ['ocpp1.6'], requestId: 'r' };
  const attemptId = `${String(over.chargerId)}-${String(second)}`;
  return { attemptId, chargerId: 'A', clientId: 'c', ...common, at, count: 1, ...over };
}

/** `create` returns an empty store each time. */
export function describeConnectionAttempts(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let attempts: Records['connectionAttempts'];
    beforeEach(async () => {
      store = create();
      attempts = createRecords(store).connectionAttempts;
      await store.start();
    });
    afterEach(() => store.stop());

    const seconds = async (filter: Parameters<typeof attempts.list>[0]): Promise<number[]> =>
      (await attempts.list(filter, NEWEST)).items.map(({ at }) => new Date(at).getUTCSeconds());

    it('stores an attempt once, and lists it by client, charger and time', async () => {
      const limits = { perCharger: 10, unknown: 10 };
      const rows = [
        attemptAt(1),
        attemptAt(2, { chargerId: 'B' }),
        attemptAt(3, { chargerId: 'X', clientId: 'other' }),
        attemptAt(4, { chargerId: null, clientId: null }),
      ];
      await attempts.insert(rows, limits);
      await attempts.insert(rows, limits);
      expect(await seconds({})).toEqual([4, 3, 2, 1]);
      expect(await seconds({ clientId: 'c' })).toEqual([2, 1]);
      expect(await seconds({ clientId: 'c', chargerId: 'B' })).toEqual([2]);
      expect(await seconds({ clientId: 'c', chargerId: 'X' })).toEqual([]);
      const at = (second: number) => attemptAt(second).at;
      expect(await seconds({ from: at(2), to: at(3) })).toEqual([3, 2]);
      const [found] = (await attempts.list({ clientId: 'c', chargerId: 'A' }, NEWEST)).items;
      expect(found).toMatchObject(attemptAt(1));
    });

    it('limits the attempts of a charger, and those of all unregistered chargers together', async () => {
      const limits = { perCharger: 2, unknown: 3 };
      for (let second = 0; second < 4; second += 1) {
        await attempts.insert(
          [
            attemptAt(second),
            // The timestamps are equal: only the ids differ.
            attemptAt(0, { attemptId: `same-${String(second)}`, chargerId: 'B' }),
            attemptAt(second, { chargerId: `stranger-${String(second)}`, clientId: null }),
          ],
          limits,
        );
      }
      expect(await seconds({ chargerId: 'A' })).toEqual([3, 2]);
      expect((await attempts.list({ chargerId: 'B' }, NEWEST)).items.map(({ attemptId }) => attemptId)).toEqual([
        'same-3',
        'same-2',
      ]);
      expect((await attempts.list({}, NEWEST)).total).toBe(7);
    });
  });
}
