import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { newAuthorizationEndpoint } from '@busbar/domain/testing';
import { createFakeClock } from '@busbar/testing';
import { createClientTerms } from './client-terms';

const ENDPOINT = newAuthorizationEndpoint();
const TERMS = { revision: 'rta_client/1', timeoutS: 3, onFailure: 'refuse' };

function world() {
  const clock = createFakeClock();
  const reads: { readonly clientId: string; end(endpoint?: AuthorizationEndpoint): void; fail(): void }[] = [];
  const find = (clientId: string) =>
    new Promise<AuthorizationEndpoint | undefined>((resolve, reject) => {
      reads.push({ clientId, end: resolve, fail: () => reject(new Error('no store')) });
    });
  return { clock, reads, terms: createClientTerms({ find }, clock) };
}

it('reads the terms of a client once a second, however many chargers connect', async () => {
  const { clock, reads, terms } = world();
  const all = [terms.of('client'), terms.of('client'), terms.of('other')];
  expect(reads.map(({ clientId }) => clientId)).toEqual(['client', 'other']);
  reads[0]?.end(ENDPOINT);
  reads[1]?.end();
  expect(await Promise.all(all)).toEqual([TERMS, TERMS, undefined]);
  clock.advance(999);
  expect(await terms.of('client')).toEqual(TERMS);
  expect(reads).toHaveLength(2);
  clock.advance(1);
  void terms.of('client');
  expect(reads).toHaveLength(3);
});

it('learns a change at once, also during a read', async () => {
  const { reads, terms } = world();
  const before = terms.of('client');
  terms.learn({ clients: [{ clientId: 'client', terms: { ...TERMS, revision: '2', onFailure: 'accept' } }] });
  reads[0]?.end();
  expect(await before).toBeUndefined();
  expect(await terms.of('client')).toMatchObject({ revision: '2' });
  terms.learn({ clients: [{ clientId: 'client' }] });
  expect(await terms.of('client')).toBeUndefined();
  expect(reads).toHaveLength(1);
});

it('reads again after a failure', async () => {
  const { reads, terms } = world();
  const failed = terms.of('client');
  reads[0]?.fail();
  await expect(failed).rejects.toThrow('no store');
  void terms.of('client');
  expect(reads).toHaveLength(2);
});
