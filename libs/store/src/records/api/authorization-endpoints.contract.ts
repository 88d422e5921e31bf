// The contract of the records of authorization endpoints for every adapter.
import type { Records } from '@busbar/domain';
import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { newAuthorizationEndpoint } from '@busbar/domain/testing';
import type { Store } from '../../port';
import { createRecords } from '../create-records';

const endpointOf = (clientId: string, over: Partial<AuthorizationEndpoint> = {}): AuthorizationEndpoint =>
  newAuthorizationEndpoint({ clientId, ...over });

const STATUS = {
  lastAskedAt: '2026-01-02T00:00:00.000Z',
  failures: 5,
  brokenUntil: '2026-01-02T00:00:10.000Z',
  lastError: 'timeout',
};

/** `create` returns an empty store each time. */
export function describeAuthorizationEndpoints(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let endpoints: Records['authorizationEndpoints'];
    beforeEach(async () => {
      store = create();
      endpoints = createRecords(store).authorizationEndpoints;
      await store.start();
    });
    afterEach(() => store.stop());

    it('inserts one of a client, and no second one', async () => {
      expect(await endpoints.insert(endpointOf('a', { siteIds: [1, 2] }))).toBe(true);
      expect(await endpoints.insert(endpointOf('a', { url: 'https://other.example/' }))).toBe(false);
      expect(await endpoints.find('a')).toEqual(endpointOf('a', { siteIds: [1, 2] }));
      expect(await endpoints.find('b')).toBeUndefined();
    });

    it('replaces the settings of a known revision, and leaves the status', async () => {
      await endpoints.insert(endpointOf('a', { siteIds: [1] }));
      await endpoints.saveStatus(endpointOf('a'), STATUS);
      const changed = endpointOf('a', { timeoutS: 5, authorization: 'encrypted', revision: 2 });
      expect(await endpoints.replace(changed, 2)).toBe(false);
      expect(await endpoints.replace(changed, 1)).toBe(true);
      expect(await endpoints.find('a')).toEqual({ ...changed, status: STATUS });
      expect(await endpoints.replace(endpointOf('b'), 1)).toBe(false);
    });

    it('deletes it, and saves no status of a deleted one', async () => {
      await endpoints.insert(endpointOf('a'));
      expect([await endpoints.delete('a'), await endpoints.delete('a')]).toEqual([true, false]);
      await endpoints.saveStatus(endpointOf('a'), STATUS);
      expect(await endpoints.find('a')).toBeUndefined();
      const successor = endpointOf('a', { endpointId: 'rta_successor' });
      await endpoints.insert(successor);
      await endpoints.saveStatus(endpointOf('a'), STATUS);
      expect(await endpoints.find('a')).toEqual(successor);
    });

    it('lists those of all clients in pages', async () => {
      for (const clientId of ['c', 'a', 'b']) await endpoints.insert(endpointOf(clientId));
      const pageAfter = async (clientId?: string) =>
        (await endpoints.listAfter(clientId, 2)).map((each) => each.clientId);
      expect([await pageAfter(), await pageAfter('b'), await pageAfter('c')]).toEqual([['a', 'b'], ['c'], []]);
    });
  });
}
