// The contract of the console's sessions and sign-in links for every adapter.
import type { ConsoleSession } from '@busbar/domain/console';
import type { Store } from '../../port';
import { createRetentionStore } from '../charger-state/retention-store';
import { createRecords, type StoredRecords } from '../create-records';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const sessionOf = (hash: string, minute: number, keyId = 'key_1'): ConsoleSession => ({
  hash,
  keyId,
  createdAt: at(minute),
  lastUsedAt: at(minute),
  expiresAt: at(minute + 30),
});

export function describeConsoleSessions(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let records: Pick<StoredRecords, 'consoleSessions' | 'signInCodes'>;

    beforeAll(async () => {
      store = create();
      records = createRecords(store);
      await store.start();
    });

    afterAll(async () => {
      await store.stop();
    });

    it('keeps a session until it ends', async () => {
      const { consoleSessions } = records;
      await consoleSessions.insert(sessionOf('kept', 1), 10);
      await consoleSessions.touch('kept', at(3));
      await consoleSessions.touch('kept', at(2));
      expect(await consoleSessions.find('kept')).toMatchObject({ ...sessionOf('kept', 1), lastUsedAt: at(3) });
      await consoleSessions.end('kept');
      await consoleSessions.touch('kept', at(4));
      await consoleSessions.end('kept');
      expect(await consoleSessions.find('kept')).toBeUndefined();
    });

    it("ends a key's oldest sessions beyond the limit, and no other key's", async () => {
      const { consoleSessions } = records;
      await consoleSessions.insert(sessionOf('other', 0, 'key_2'), 2);
      for (const n of [1, 2, 3, 4]) await consoleSessions.insert(sessionOf(`bounded ${String(n)}`, n), 2);
      const found = await Promise.all(
        ['other', 'bounded 1', 'bounded 2', 'bounded 3', 'bounded 4'].map((hash) => consoleSessions.find(hash)),
      );
      expect(found.map((each) => each?.hash)).toEqual(['other', undefined, undefined, 'bounded 3', 'bounded 4']);
    });

    it('gives a code to one of many concurrent callers', async () => {
      const { signInCodes } = records;
      await signInCodes.insert({ hash: 'once', keyId: 'key_1', createdAt: at(1), expiresAt: at(2) }, 10);
      const taken = await Promise.all(Array.from({ length: 10 }, () => signInCodes.take('once')));
      expect(taken.filter((each) => each !== undefined)).toMatchObject([{ hash: 'once', keyId: 'key_1' }]);
    });

    it('deletes the oldest codes beyond the limit', async () => {
      const { signInCodes } = records;
      const insert = (hash: string, minute: number) =>
        signInCodes.insert({ hash, keyId: 'key_1', createdAt: at(minute), expiresAt: at(59) }, 2);
      for (const n of [1, 2, 3]) await insert(`code ${String(n)}`, n);
      expect(await signInCodes.take('code 1')).toBeUndefined();
      expect([await signInCodes.take('code 2'), await signInCodes.take('code 3')]).not.toContain(undefined);
    });

    it('deletes by their expiry', async () => {
      const { consoleSessions, signInCodes } = records;
      await consoleSessions.insert(sessionOf('old', 1, 'key_3'), 10);
      await consoleSessions.insert(sessionOf('new', 2, 'key_3'), 10);
      await signInCodes.insert({ hash: 'old code', keyId: 'key_3', createdAt: at(1), expiresAt: at(2) }, 10);
      const before = { log: at(0), history: at(0), sessions: at(0), keys: at(0), answers: at(31), claims: at(0) };
      const rest = { commands: at(0), attempts: at(0), gateways: at(0), deliveries: at(0), deadDeliveries: at(0) };
      await createRetentionStore(store).prune({ ...before, ...rest }, 100);
      expect(await consoleSessions.find('old')).toBeUndefined();
      expect(await consoleSessions.find('new')).toBeDefined();
      expect(await signInCodes.take('old code')).toBeUndefined();
    });
  });
}
