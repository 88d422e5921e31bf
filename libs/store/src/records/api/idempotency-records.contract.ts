// The contract of idempotency records for every adapter.
import type { IdempotencyStore } from '@busbar/contracts';
import type { Store } from '../../port';
import { createRecords } from '../create-records';
import { createRetentionStore } from '../charger-state/retention-store';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

export function describeIdempotencyRecords(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let idempotency: IdempotencyStore;

    beforeAll(async () => {
      store = create();
      ({ idempotency } = createRecords(store));
      await store.start();
    });

    afterAll(async () => {
      await store.stop();
    });

    const claim = (id: string, attempt: string, minute = 1) =>
      idempotency.claim({ id, attempt, fingerprint: 'f', at: at(minute), expiresAt: at(minute + 30) }, at(minute - 1));

    it('grants an idempotency key to one of many concurrent claims, then replays its response', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, (_each, i) => claim('one', String(i))));
      expect(results.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'running')).toHaveLength(19);
      const winner = String(results.findIndex(({ outcome }) => outcome === 'claimed'));
      await idempotency.complete('one', winner, 'sealed');
      await idempotency.complete('one', 'another', 'forged');
      expect(await claim('one', 'late')).toEqual({ outcome: 'completed', fingerprint: 'f', response: 'sealed' });
    });

    it('frees an idempotency key when the attempt that has it releases it', async () => {
      await claim('two', 'a');
      await idempotency.release('two', 'b');
      expect(await claim('two', 'b')).toMatchObject({ outcome: 'running' });
      await idempotency.release('two', 'a');
      expect(await claim('two', 'b')).toEqual({ outcome: 'claimed' });
    });

    it('lets one of many claims take over from a dead attempt, and ignores its late response', async () => {
      await claim('three', 'dead', 1);
      const results = await Promise.all(Array.from({ length: 20 }, (_each, i) => claim('three', String(i), 10)));
      expect(results.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
      await idempotency.complete('three', 'dead', 'too late');
      expect(await claim('three', 'x', 10)).toMatchObject({ outcome: 'running' });
    });

    it('frees expired idempotency keys, and deletes them in batches', async () => {
      await claim('four', 'a', 1);
      await idempotency.complete('four', 'a', 'sealed');
      expect(await claim('four', 'b', 20)).toMatchObject({ outcome: 'completed' });
      expect(await claim('four', 'b', 32)).toEqual({ outcome: 'claimed' });
      for (const id of ['five', 'six', 'seven']) await claim(id, 'a', 1);
      const retention = createRetentionStore(store);
      const rest = { sessions: at(0), keys: at(0), claims: at(0), commands: at(0), attempts: at(0), gateways: at(0) };
      const webhooks = { deliveries: at(0), deadDeliveries: at(0) };
      const before = { log: at(0), history: at(0), answers: at(31), ...rest, ...webhooks };
      expect(await retention.prune(before, 2)).toMatchObject({ idempotencyRecords: 2 });
      while (((await retention.prune(before, 100)).idempotencyRecords ?? 0) > 0);
      expect(await claim('five', 'b', 31)).toEqual({ outcome: 'claimed' });
      expect(await claim('four', 'c', 33)).toMatchObject({ outcome: 'running' });
    });
  });
}
