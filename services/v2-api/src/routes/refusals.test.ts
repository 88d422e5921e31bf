// Values that satisfy their schema and violate a rule: each problem names the values.
import { RESERVED_CHARGER_IDS } from '@busbar/domain/chargers';
import type { AskOptions, HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

let world: TestApp;
beforeAll(async () => {
  world = await openApp();
  await world.post('/sites', { name: 'Yard' });
  for (const chargerId of ['PLAIN', 'A:B']) await world.post('/chargers', { name: 'x', chargerId });
  await world.post('/tags', { idTag: 'DATED', expiringDate: '2026-01-01T00:00:00Z' });
});
afterAll(() => world.close());

const pathsOf = (reply: HttpReply): unknown => (reply.json()['errors'] as { path: string }[]).map(({ path }) => path);

const PASSWORD = 'x'.repeat(16);
const KEY = '0'.repeat(32);
const JANUARY = '2026-01-01T00:00:00Z';

describe('a rule that rejects a value names it', () => {
  it.each<readonly [method: string, path: string, body: object | undefined, paths: readonly string[]]>([
    ['GET', '/chargers/state-time-series?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', undefined, ['?from']],
    ['GET', '/sites/state-time-series?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', undefined, ['?from']],
    ['GET', '/chargers?search=caf%E9&manufacturer=%zz&model=%C3%A9', undefined, ['?search', '?manufacturer']],
    ['GET', '/sessions?rfidTags=a,%ff', undefined, ['?rfidTags']],
    ['POST', '/tags', { idTag: 'T', startDate: JANUARY, expiringDate: JANUARY }, ['/expiringDate']],
    ['PATCH', '/tags/DATED', { startDate: JANUARY }, ['/startDate']],
    [
      'POST',
      '/api-keys',
      { name: 'x', permissions: ['sites:read'], expiresAt: '2020-01-01T00:00:00Z' },
      ['/expiresAt'],
    ],
    ['PUT', '/chargers/PLAIN/authentication', {}, ['/password']],
    ['PUT', '/chargers/PLAIN/authentication', { password: 'ü'.repeat(21) }, ['/password']],
    [
      'PUT',
      '/chargers/PLAIN/authentication',
      { password: PASSWORD, authorizationKey: KEY },
      ['/password', '/authorizationKey'],
    ],
    ['PUT', '/chargers/A:B/authentication', { password: PASSWORD }, [':chargerId']],
  ])('refuses %s %s %j', async (method, path, body, paths) => {
    const reply = await world.call(method, path, body === undefined ? {} : { body });
    expect([codeOf(reply), pathsOf(reply)]).toEqual(['400 invalid_request', paths]);
  });
});

const SCHEDULE = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] };
const TX_PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: SCHEDULE,
  transactionId: 1,
};

it.each<readonly [method: string, path: string, body: object | undefined]>([
  ['POST', 'stop-transaction', { transactionId: 1 }],
  ['POST', 'transaction-status', { transactionId: 1 }],
  ['POST', 'charging-profile', { socketId: 1, chargingProfile: TX_PROFILE }],
  [
    'POST',
    'display-messages',
    { priority: 'InFront', message: { format: 'UTF8', content: 'Hello' }, transactionId: 1 },
  ],
  ['DELETE', `certificates/${'0'.repeat(32)}`, undefined],
  ['POST', 'start-charging', { socketId: 1, rfidTag: 'NOBODY', validateRfid: true }],
])('131. %s %s finds first that the charger is offline, then what it names', async (method, path, body) => {
  const reply = await world.call(method, `/chargers/PLAIN/${path}`, body === undefined ? {} : { body });
  expect(codeOf(reply)).toBe('409 charger_offline');
});

describe('a body without required fields', () => {
  const clear = (options: AskOptions = {}) => world.call('POST', '/chargers/PLAIN/clear-cache', options);

  it('may be absent, which is the same as an empty object', async () => {
    const offline = '409 charger_offline';
    expect([codeOf(await clear()), codeOf(await clear({ body: {} }))]).toEqual([offline, offline]);
    const read = await world.call('GET', '/chargers/PLAIN');
    const kept = await world.call('PATCH', '/chargers/PLAIN');
    expect([kept.status, kept.json()['name']]).toEqual([200, read.json()['name']]);
  });

  it('must be valid where present', async () => {
    expect(codeOf(await clear({ body: '{}', headers: { 'content-type': 'text/plain' } }))).toBe(
      '415 unsupported_media_type',
    );
    expect(codeOf(await clear({ body: { now: true } }))).toBe('400 invalid_request');
    expect(codeOf(await clear({ body: 'null', headers: { 'content-type': 'application/json' } }))).toBe(
      '400 invalid_request',
    );
  });

  it('must be present where a field is required', async () => {
    const reply = await world.call('POST', '/chargers/PLAIN/reset');
    expect([codeOf(reply), reply.json()['detail']]).toEqual(['400 invalid_request', 'The body must be a JSON object.']);
  });
});

describe('a chargerId that is a path of the API', () => {
  it('is rejected, and there is no other such path', async () => {
    const reply = await world.post('/chargers', { name: 'x', chargerId: 'state-time-series' });
    expect([codeOf(reply), pathsOf(reply)]).toEqual(['400 invalid_charger_id', ['/chargerId']]);
    expect(reply.json()['detail']).toContain('reserved');
    const { paths } = world.app.openApi as { paths: object };
    const words = Object.keys(paths).flatMap((path) => /^\/v2\/chargers\/([^/{]+)/.exec(path)?.[1] ?? []);
    expect(words).toEqual(RESERVED_CHARGER_IDS);
  });
});

describe('an expiring key', () => {
  it('cannot create a key that expires later', async () => {
    const grant = async (expiresAt: string | null | undefined, headers = {}) =>
      world.post(
        '/api-keys',
        { name: 'x', permissions: ['keys:write'], ...(expiresAt !== undefined && { expiresAt }) },
        headers,
      );
    const made = await grant('2099-01-01T00:00:00.000Z');
    const headers = { 'x-api-key': String(made.json()['key']) };
    for (const later of [undefined, null, '2099-01-01T00:00:00.001Z']) {
      const reply = await grant(later, headers);
      expect([later, codeOf(reply), pathsOf(reply)]).toEqual([later, '403 forbidden', ['/expiresAt']]);
    }
    expect((await grant('2099-01-01T00:00:00.000Z', headers)).status).toBe(200);
  });
});
