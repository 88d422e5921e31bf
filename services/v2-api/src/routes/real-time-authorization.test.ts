import {
  answerAuthorizations,
  recordTermsNotices,
  type AuthorizationAnswer,
  type AuthorizationTermsNotice,
} from '@busbar/api/testing';
import { eventually } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const PATH = '/real-time-authorization';
const URL = 'https://tags.example.com/authorize';
const SETTINGS = { url: URL, format: 'standard' };
const SHOWN = {
  ...SETTINGS,
  timeoutS: 3,
  onFailure: 'refuse',
  cacheS: 60,
  siteIds: null,
  enabled: true,
  lastAskedAt: null,
  failures: 0,
  brokenUntil: null,
  lastError: null,
};

let world: TestApp;
let notices: readonly AuthorizationTermsNotice[];

beforeEach(async () => {
  world = await openApp();
  notices = await recordTermsNotices(world.platform);
});
afterEach(() => world.close());

const put = (body: object) => world.call('PUT', PATH, { body });

async function registerCharger(): Promise<{ chargerId: string; siteId: number }> {
  const { id } = (await world.post('/sites', { name: 'Depot' })).json();
  const chargerId = 'ACME_7';
  await world.post('/chargers', { chargerId, siteId: id, name: 'Seven' });
  return { chargerId, siteId: Number(id) };
}

it('sets, shows, replaces and deletes the endpoint, and announces each change', async () => {
  expect(codeOf(await world.call('GET', PATH))).toBe('404 not_found');
  const first = (await put(SETTINGS)).json();
  expect(first).toMatchObject({ ...SHOWN, secret: expect.stringMatching(/^whsec_/) as string });
  const shown = (await world.call('GET', PATH)).json();
  expect(shown).toMatchObject(SHOWN);
  expect(shown).not.toHaveProperty('secret');
  const push = { url: `${URL}/push`, format: 'push', timeoutS: 7, onFailure: 'accept', cacheS: 0, enabled: false };
  const second = await put({ ...push, authorization: 'Bearer token' });
  expect(second.json()).toMatchObject({ ...SHOWN, ...push, secret: null });
  expect(second.text).not.toContain('token');
  expect((await world.call('DELETE', PATH)).json()).toEqual({ deleted: true });
  expect(codeOf(await world.call('GET', PATH))).toBe('404 not_found');
  expect(codeOf(await world.call('DELETE', PATH))).toBe('404 not_found');
  await eventually(() => notices.length === 3);
  const { clientId } = world.own.client;
  const terms = { revision: expect.stringMatching(/^rta_.*\/1$/) as string, timeoutS: 3, onFailure: 'refuse' };
  expect(notices).toEqual([
    { clients: [{ clientId, terms }] },
    { clients: [{ clientId }] },
    { clients: [{ clientId }] },
  ]);
});

it.each<[string, string, object]>([
  ['400 invalid_webhook_url', 'a URL without TLS', { url: 'http://tags.example.com/' }],
  ['400 invalid_webhook_url', 'a URL of the loopback', { url: 'https://2130706433/' }],
  ['400 invalid_webhook_url', 'a text that is no URL', { url: 'no url' }],
  ['400 invalid_request', 'an unknown format', { format: 'another' }],
  ['400 invalid_request', 'no time to respond', { timeoutS: 0 }],
  ['400 invalid_request', 'too much time to respond', { timeoutS: 8 }],
  ['400 invalid_request', 'a validity above an hour', { cacheS: 3601 }],
  ['400 invalid_request', 'an unknown onFailure', { onFailure: 'ask' }],
  ['400 invalid_request', 'an unknown site', { siteIds: [4711] }],
  ['400 invalid_request', 'an authorization in the standard format', { authorization: 'Bearer token' }],
  [
    '400 invalid_request',
    'an authorization with control characters',
    { format: 'push', authorization: 'Bearer\r\nx: y' },
  ],
  [
    '400 invalid_request',
    'an authorization above 1,000 characters',
    { format: 'push', authorization: 'x'.repeat(1001) },
  ],
  ['400 invalid_request', 'an unknown field', { another: 1 }],
])('refuses with %s settings with %s', async (code, _title, over) => {
  expect(codeOf(await put({ ...SETTINGS, ...over }))).toBe(code);
  expect(codeOf(await world.call('GET', PATH))).toBe('404 not_found');
});

it('accepts an authorization of 1,000 characters', async () => {
  expect((await put({ ...SETTINGS, format: 'push', authorization: 'x'.repeat(1000) })).status).toBe(200);
});

it('responds 503 without a key for secrets', async () => {
  const call = await world.second({ secrets: undefined });
  expect(codeOf(await call('PUT', PATH, { body: SETTINGS }))).toBe('503 unavailable');
});

describe('a test', () => {
  const ask = (chargerId: string) => world.post(`${PATH}/test`, { chargerId, rfidTag: '04AB' });

  const answer = (given: AuthorizationAnswer) => answerAuthorizations(world.platform, given);

  it.each<[string, AuthorizationAnswer, object]>([
    [
      'a verdict',
      { outcome: 'judged', verdict: 'accepted', tookMs: 12, validForMs: 1_500, parentIdTag: 'P' },
      {
        allowed: true,
        verdict: 'accepted',
        source: 'endpoint',
        tookMs: 12,
        error: null,
        parentIdTag: 'P',
        validForS: 1.5,
      },
    ],
    [
      'a failure',
      { outcome: 'failed', verdict: 'unknown', tookMs: null, error: 'busy' },
      { allowed: false, verdict: 'unknown', source: 'fallback', tookMs: null, error: 'busy', validForS: 0 },
    ],
  ])('shows %s', async (_title, given, expected) => {
    const { chargerId } = await registerCharger();
    await put(SETTINGS);
    await answer(given);
    expect((await ask(chargerId)).json()).toMatchObject({ parentIdTag: null, expiresAt: null, ...expected });
  });

  it('responds 404 without an endpoint or charger, and 503 where nobody can ask', async () => {
    const { chargerId } = await registerCharger();
    expect(codeOf(await ask(chargerId))).toBe('404 not_found');
    await put(SETTINGS);
    expect(codeOf(await ask('OTHER'))).toBe('404 not_found');
    expect(codeOf(await ask(chargerId))).toBe('503 unavailable');
  });
});

it("accepts the ids of the client's sites", async () => {
  const { siteId } = await registerCharger();
  expect((await put({ ...SETTINGS, siteIds: [siteId] })).json()).toMatchObject({ siteIds: [siteId] });
  await eventually(() => notices.length === 1);
  expect(notices[0]?.clients[0]?.terms?.siteIds).toEqual([siteId]);
});
