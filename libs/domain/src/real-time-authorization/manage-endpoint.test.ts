import type { AuthorizationAnswer, AuthorizationRequest, AuthorizationTerms } from '@busbar/contracts';
import { isAppError } from '@busbar/core';
import { createFakeClock } from '@busbar/testing';
import { newAuthorizationEndpoint } from '../testing/authorization-endpoint';
import { newCharger } from '../testing/charger';
import { newSite } from '../testing/site';
import { storedAuthorizationEndpoints } from '../testing/stored-authorization-endpoints';
import { storedChargers } from '../testing/stored-chargers';
import { storedSites } from '../testing/stored-sites';
import type { AuthorizationEndpoint } from './authorization-endpoint';
import {
  deleteAuthorizationEndpoint,
  putAuthorizationEndpoint,
  readAuthorizationEndpoint,
  type EndpointInput,
  type ManageEndpointDeps,
} from './manage-endpoint';
import { testAuthorizationEndpoint } from './test-endpoint';

const INPUT: EndpointInput = { url: 'https://tags.example/', format: 'standard' };
const secrets = {
  encrypt: (secret: string, ownerId: string) => `${ownerId}:${secret}`,
  decrypt: (stored: string, ownerId: string) => stored.split(`${ownerId}:`)[1],
  isCurrent: (stored: string) => !stored.startsWith('old'),
};

function world(...endpoints: readonly AuthorizationEndpoint[]) {
  const announced: [string, AuthorizationTerms | undefined][] = [];
  const asked: AuthorizationRequest[] = [];
  let answer: AuthorizationAnswer = { outcome: 'unavailable' };
  const deps: ManageEndpointDeps = {
    authorizationEndpoints: storedAuthorizationEndpoints(...endpoints),
    authorizationLink: { announce: (...change) => void announced.push(change) },
    sites: storedSites(newSite({ siteId: 1 }), newSite({ siteId: 2, clientId: 'other' })),
    secrets,
    checkUrl: (url) => (url.startsWith('https:') ? { accepted: true } : { accepted: false, reason: 'No https.' }),
    clock: createFakeClock(new Date('2026-01-01T12:00:00Z')),
  };
  const link = {
    ask: (request: AuthorizationRequest) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
  };
  return { deps, announced, asked, link, willAnswer: (next: AuthorizationAnswer) => void (answer = next) };
}

describe('the endpoint of a client', () => {
  it('is created with defaults and a secret, and announced', async () => {
    const { deps, announced } = world();
    const { endpoint, secret } = await putAuthorizationEndpoint(deps, 'client', INPUT);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const defaults = { timeoutS: 3, onFailure: 'refuse', cacheS: 60, siteIds: null, enabled: true };
    expect(endpoint).toMatchObject({ ...INPUT, ...defaults, authorization: null, revision: 1 });
    expect(endpoint.secret).toBe(`${endpoint.endpointId}:${String(secret)}`);
    expect(await readAuthorizationEndpoint(deps, 'client')).toEqual(endpoint);
    const revision = `${endpoint.endpointId}/1`;
    expect(announced).toEqual([['client', { revision, timeoutS: 3, onFailure: 'refuse' }]]);
  });

  it('is replaced as a whole, with the secret of before', async () => {
    const secrets = { secret: 'rta_client:whsec_1', authorization: 'rta_client:header' };
    const before = newAuthorizationEndpoint({ ...secrets, format: 'push', timeoutS: 7 });
    const { deps, announced } = world(before);
    const input = { ...INPUT, cacheS: 0, siteIds: [1], enabled: null } as const;
    const { endpoint, secret } = await putAuthorizationEndpoint(deps, 'client', input);
    expect(secret).toBeNull();
    expect(endpoint).toMatchObject({ format: 'standard', authorization: null, timeoutS: 3, cacheS: 0, siteIds: [1] });
    expect(endpoint).toMatchObject({ secret: before.secret, revision: 2, enabled: true, createdAt: before.createdAt });
    expect(announced).toEqual([
      ['client', { revision: 'rta_client/2', timeoutS: 3, onFailure: 'refuse', siteIds: [1] }],
    ]);
  });

  it.each([
    [
      'keeps a secret that an older key encrypted, with the present one',
      'old rta_client:whsec_1',
      'rta_client:whsec_1',
      true,
    ],
    [
      'gets another secret where its key is gone',
      'another:whsec_1',
      expect.stringMatching(/^rta_client:whsec_/),
      false,
    ],
  ])('%s', async (_title, stored, expected, isKept) => {
    const { deps } = world(newAuthorizationEndpoint({ secret: stored }));
    const { endpoint, secret } = await putAuthorizationEndpoint(deps, 'client', INPUT);
    expect(endpoint.secret).toEqual(expected);
    expect(secret === null).toBe(isKept);
  });

  it('stores the header of the push format encrypted', async () => {
    const { deps } = world(newAuthorizationEndpoint());
    const input = { ...INPUT, format: 'push', authorization: 'Bearer token' } as const;
    const { endpoint } = await putAuthorizationEndpoint(deps, 'client', input);
    expect(endpoint.authorization).toBe('rta_client:Bearer token');
  });

  it('is announced as none when it is disabled or deleted', async () => {
    const { deps, announced } = world();
    await putAuthorizationEndpoint(deps, 'client', { ...INPUT, enabled: false });
    await deleteAuthorizationEndpoint(deps, 'client');
    expect(announced).toEqual([
      ['client', undefined],
      ['client', undefined],
    ]);
    await expect(readAuthorizationEndpoint(deps, 'client')).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteAuthorizationEndpoint(deps, 'client')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each<[string, string, Partial<EndpointInput>, Partial<ManageEndpointDeps>]>([
    ['invalid_webhook_url', 'a URL that is refused', { url: 'http://tags.example/' }, {}],
    ['invalid_request', 'an authorization in the standard format', { authorization: 'Bearer token' }, {}],
    ['invalid_request', 'an unknown site', { siteIds: [1, 9] }, {}],
    ['invalid_request', 'the site of another client', { siteIds: [2] }, {}],
    ['unavailable', 'any settings without a key', {}, { secrets: undefined }],
  ])('is refused with %s for %s', async (code, _title, input, over) => {
    const { deps, announced } = world();
    const put = putAuthorizationEndpoint({ ...deps, ...over }, 'client', { ...INPUT, ...input });
    await expect(put).rejects.toMatchObject({ code });
    expect(announced).toEqual([]);
  });
});

describe('a test of the endpoint', () => {
  const owned = { clientId: 'client', chargerId: 'ACME_1' };

  it('asks about the tag, and gives the answer', async () => {
    const { deps, asked, link, willAnswer } = world(newAuthorizationEndpoint({ enabled: false }));
    const judged = { outcome: 'judged', verdict: 'blocked', tookMs: 5, validForMs: 0 } as const;
    willAnswer(judged);
    const all = { ...deps, chargers: storedChargers(newCharger()), authorizationLink: link };
    expect(await testAuthorizationEndpoint(all, owned, 'Tag')).toEqual(judged);
    const question = { ...owned, incarnationId: 'ACME_1-1', rfidTag: 'Tag', socketId: null, action: 'test' };
    expect(asked).toEqual([question]);
  });

  it('fails without an endpoint, without such a charger, and where nobody can ask', async () => {
    const { deps, link } = world(newAuthorizationEndpoint());
    const all = { ...deps, chargers: storedChargers(newCharger()), authorizationLink: link };
    const codeFor = (clientId: string, chargerId: string) =>
      testAuthorizationEndpoint(all, { clientId, chargerId }, 'Tag').catch(
        (error: unknown) => isAppError(error) && error.code,
      );
    expect(await codeFor('other', 'ACME_1')).toBe('not_found');
    expect(await codeFor('client', 'ACME_2')).toBe('not_found');
    expect(await codeFor('client', 'ACME_1')).toBe('unavailable');
  });
});
