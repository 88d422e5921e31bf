import { systemClock } from '@busbar/core';
import { DEFAULT_COMPATIBILITY } from '@busbar/domain/chargers';
import { createClient, type Permission } from '@busbar/domain/clients';
import type { AskOptions } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from './testing/open-app';

const COMMANDS = [
  ...'start-charging stop-transaction reset unlock availability trigger-message clear-cache data-transfer diagnostics'.split(
    ' ',
  ),
  ...'firmware reservations reservations/{reservationId} local-list local-list/version charging-profile composite-schedule charging-profiles/{chargingProfileId}/schedule configuration'.split(
    ' ',
  ),
  ...'variables variables/read reports reports/{requestId} customer-information transaction-status certificates certificates/{certificateId} network-profiles/{slot} display-messages display-messages/{messageId} monitors monitors/clear monitors/{monitorId} monitoring event-streams event-streams/{streamId} event-streams/{streamId}/values calls'.split(
    ' ',
  ),
];

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the v2 API', () => {
  let world: TestApp;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    world = await openApp();
    key = world.own.secret;
    otherKey = world.other.secret;
  });

  afterAll(() => world.close());

  const call = (method: string, path: string, options: AskOptions = {}) => world.callRaw(method, path, options);

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, { body, headers });

  const keyWith = async (...permissions: Permission[]): Promise<string> =>
    String((await post('/v2/api-keys', { name: 'limited', permissions })).json()['key']);

  const counts = async (secret = key) => {
    const reply = await call('GET', '/v2/statistics', { headers: { 'x-api-key': secret } });
    const { generatedAt, ...numbers } = reply.json();
    expect(generatedAt).toMatch(TIMESTAMP);
    return numbers;
  };

  it('rejects a charger before the first site', async () => {
    const reply = await post('/v2/chargers', { name: 'C', chargerId: 'EARLY_1' }, { 'x-api-key': otherKey });
    expect(codeOf(reply)).toBe('409 site_required');
    expect(reply.json()['detail']).toContain('Create a site, then create the charger again.');
    expect((await call('GET', '/v2/chargers/EARLY_1', { headers: { 'x-api-key': otherKey } })).status).toBe(404);
  });

  it('creates a site with 200 and shows all its fields', async () => {
    const parent = (await post('/v2/sites', { name: 'Root' })).json();
    const reply = await post('/v2/sites', { name: 'Deck 2', parentSiteId: parent['id'], city: 'Oslo', tags: ['a'] });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      id: expect.any(Number) as number,
      name: 'Deck 2',
      publicName: null,
      externalId: null,
      parentSiteId: parent['id'],
      groupType: 'SITE',
      streetAddress: null,
      city: 'Oslo',
      postalCode: null,
      country: null,
      latitude: null,
      longitude: null,
      timezone: null,
      isPublicSite: false,
      parkingType: null,
      tags: ['a'],
      notes: null,
      parentName: 'Root',
      sitePath: 'Root / Deck 2',
      numberOfChargers: 0,
      numberOfSubsites: 0,
      createdAt: expect.stringMatching(TIMESTAMP) as string,
      updatedAt: expect.stringMatching(TIMESTAMP) as string,
    });
  });

  it('creates a charger that can be read immediately, with empty fields', async () => {
    const site = (await post('/v2/sites', { name: 'Yard' })).json();
    const made = await post('/v2/chargers', { name: 'Gate', chargerId: 'ACME_1', siteId: site['id'] });
    expect(made.status).toBe(200);
    const read = await call('GET', '/v2/chargers/ACME_1');
    expect(read.json()).toEqual(made.json());
    expect(read.json()).toEqual({
      chargerId: 'ACME_1',
      name: 'Gate',
      state: 'Offline',
      activeConnection: false,
      lastSeen: null,
      lastMessage: '',
      connectedSince: null,
      ocppVersion: null,
      siteId: site['id'],
      siteName: 'Yard',
      manufacturer: '',
      model: '',
      serial: '',
      firmware: '',
      iccid: '',
      imsi: '',
      meterType: '',
      meterSerialNumber: '',
      location: {
        latitude: null,
        longitude: null,
        streetAddress: null,
        streetNumber: null,
        houseLetter: null,
        postalNumber: null,
        city: null,
        area: null,
        country: null,
      },
      sockets: [],
      capabilities: [],
      chargerConfigurations: [],
      ongoingTransactions: [],
      pushIntegrationEnabled: false,
      chargerSpecificMessageStructure: false,
      evseId: null,
      splitEvseBySocket: false,
      physicalReference: null,
      integrationRelays: [],
      customProperties: {},
      admission: 'accept',
      chargingNeeds: null,
      bootReason: null,
      securityProfile: 0,
      authenticationSetAt: null,
      compatibility: DEFAULT_COMPATIBILITY,
      deviations: [],
      createdAt: expect.stringMatching(TIMESTAMP) as string,
      updatedAt: expect.stringMatching(TIMESTAMP) as string,
    });
  });

  it('stores all fields of a charger and its sockets', async () => {
    const input = {
      chargerId: 'a-b.c:d*e+f=g@h|i~j_1',
      name: 'Ü 🔌',
      location: { latitude: 59.9, longitude: 10.7, streetAddress: 'Storgata', city: 'Oslo', country: 'NO' },
      pushIntegrationEnabled: true,
      evseId: 'NO*ACM*E1',
      sockets: [{ id: 2, type: 'Type2', maxPower: '22', maxWatts: 22_000 }],
      capabilities: ['RESERVABLE'],
      physicalReference: 'P1',
      integrationRelays: ['r1'],
      customProperties: { note: 'x', floor: 2, covered: true, none: null, constructor: 'own' },
    };
    const record = (await post('/v2/chargers', input)).json();
    const { location, sockets, ...rest } = input;
    expect(record).toMatchObject(rest);
    expect(record['location']).toMatchObject(location);
    expect(record['sockets']).toEqual([
      {
        ...sockets[0],
        name: '',
        status: 'Offline',
        errorCode: '',
        vendorErrorCode: '',
        info: '',
        availability: null,
        scheduledAvailability: null,
        format: '',
        socketPowerType: '',
        maxVoltage: null,
        maxAmperage: null,
        phaseRotation: '',
        deviceEvseId: null,
        deviceConnectorId: null,
        lastUpdated: null,
      },
    ]);
    const encoded = encodeURIComponent(input.chargerId);
    expect((await call('GET', `/v2/chargers/${encoded}`)).json()).toEqual(record);
  });

  it("hides another client's charger, and protects its id and site", async () => {
    const site = (await post('/v2/sites', { name: 'Mine' })).json();
    await post('/v2/chargers', { name: 'Mine', chargerId: 'MINE_1', siteId: site['id'] });
    await post('/v2/sites', { name: 'Theirs' }, { 'x-api-key': otherKey });
    const theirs = { headers: { 'x-api-key': otherKey } };
    const [foreign, unknown] = [
      await call('GET', '/v2/chargers/MINE_1', theirs),
      await call('GET', '/v2/chargers/NONE_1', theirs),
    ];
    expect([codeOf(foreign), codeOf(unknown)]).toEqual(['404 not_found', '404 not_found']);
    const taken = await call('POST', '/v2/chargers', { ...theirs, body: { name: 'T', chargerId: 'MINE_1' } });
    expect(codeOf(taken)).toBe('409 charger_id_taken');
    const body = { name: 'T', chargerId: 'T_1', siteId: site['id'] };
    expect(codeOf(await call('POST', '/v2/chargers', { ...theirs, body }))).toBe('400 invalid_site_id');
    expect(
      (await call('PUT', '/v2/chargers/MINE_1/authentication', { ...theirs, body: { password: 'x'.repeat(16) } }))
        .status,
    ).toBe(404);
    expect((await call('DELETE', '/v2/chargers/MINE_1/authentication', theirs)).status).toBe(404);
  });

  it('explains the characters of a chargerId for one with a space', async () => {
    const reply = await post('/v2/chargers', { name: 'x', chargerId: 'RDAM 123' });
    expect(codeOf(reply)).toBe('400 invalid_charger_id');
    const [error] = reply.json()['errors'] as readonly { path: string; message: string }[];
    expect(error).toMatchObject({ path: '/chargerId' });
    expect(error?.message).toContain('An identity with a space (%20) or any other character cannot be registered.');
    expect(error?.message).toContain('Give the charger another identity in its own settings');
  });

  it.each([
    ['no body', undefined, '400 invalid_request'],
    ['an empty object', {}, '400 invalid_request'],
    ['an array', [], '400 invalid_request'],
    ['no chargerId', { name: 'x' }, '400 invalid_request'],
    ['a chargerId with a slash', { name: 'x', chargerId: 'a/b' }, '400 invalid_charger_id'],
    ['a chargerId of two dots', { name: 'x', chargerId: '..' }, '400 invalid_charger_id'],
    ['a chargerId with a line end', { name: 'x', chargerId: 'A\n' }, '400 invalid_charger_id'],
    ['an empty chargerId', { name: 'x', chargerId: '' }, '400 invalid_charger_id'],
    ['a chargerId of 49', { name: 'x', chargerId: 'x'.repeat(49) }, '400 invalid_charger_id'],
    ['a chargerId that is a number', { name: 'x', chargerId: 7 }, '400 invalid_charger_id'],
    ['a chargerId and no name', { chargerId: 'a/b' }, '400 invalid_charger_id'],
    ['a blank name', { name: ' \t', chargerId: 'BAD_1' }, '400 invalid_request'],
    ['an invisible name', { name: '\u0000 \u009f', chargerId: 'BAD_1' }, '400 invalid_request'],
    ['a long name', { name: 'x'.repeat(201), chargerId: 'BAD_1' }, '400 invalid_request'],
    ['an unknown field', { name: 'x', chargerId: 'BAD_1', colour: 'red' }, '400 invalid_request'],
    ['an unknown nested field', { name: 'x', chargerId: 'BAD_1', location: { planet: 'x' } }, '400 invalid_request'],
    ['a site that is a text', { name: 'x', chargerId: 'BAD_1', siteId: '1' }, '400 invalid_site_id'],
    ['an unknown site', { name: 'x', chargerId: 'BAD_1', siteId: 999_999 }, '400 invalid_site_id'],
    ['a site above all integers', { name: 'x', chargerId: 'BAD_1', siteId: 1e300 }, '400 invalid_site_id'],
    ['a latitude off the earth', { name: 'x', chargerId: 'BAD_1', location: { latitude: 91 } }, '400 invalid_request'],
    ['a socket without id', { name: 'x', chargerId: 'BAD_1', sockets: [{}] }, '400 invalid_request'],
    [
      'two sockets of one id',
      { name: 'x', chargerId: 'BAD_1', sockets: [{ id: 1 }, { id: 1 }] },
      '400 invalid_request',
    ],
    ['a dotted property', { name: 'x', chargerId: 'BAD_1', customProperties: { 'a.b': 1 } }, '400 invalid_request'],
    [
      'an operator for a property',
      { name: 'x', chargerId: 'BAD_1', customProperties: { $set: 1 } },
      '400 invalid_request',
    ],
    [
      'a property that MongoDB cannot hold',
      { name: 'x', chargerId: 'BAD_1', customProperties: { _bsontype: 'Long' } },
      '400 invalid_request',
    ],
    ['a nested property', { name: 'x', chargerId: 'BAD_1', customProperties: { a: {} } }, '400 invalid_request'],
  ])('rejects a charger with %s and changes nothing', async (_what, body, answer) => {
    const before = await counts();
    expect(codeOf(await post('/v2/chargers', body))).toBe(answer);
    expect(await counts()).toEqual(before);
    expect((await call('GET', '/v2/chargers/BAD_1')).status).toBe(404);
  });

  it.each([
    ['no name', {}, '400 invalid_request'],
    ['a name that is a number', { name: 7 }, '400 invalid_request'],
    ['an unknown kind', { name: 'x', groupType: 'PLANET' }, '400 invalid_request'],
    ['an invisible name', { name: '\u0000' }, '400 invalid_request'],
    ['an unknown parent', { name: 'x', parentSiteId: 999_999 }, '400 invalid_site_id'],
    ['a parent that is a text', { name: 'x', parentSiteId: 'abc' }, '400 invalid_site_id'],
    ['a parent that is none', { name: 'x', parentSiteId: 0 }, '400 invalid_site_id'],
    ['a parent between two', { name: 'x', parentSiteId: 1.5 }, '400 invalid_site_id'],
    ['a parent above all integers', { name: 'x', parentSiteId: 1e300 }, '400 invalid_site_id'],
  ])('rejects a site with %s and changes nothing', async (_what, body, answer) => {
    const before = await counts();
    expect(codeOf(await post('/v2/sites', body))).toBe(answer);
    expect(await counts()).toEqual(before);
  });

  it.each(['a%2Fb', '%zz', 'a%20b', '%2e%2e', 'x'.repeat(49)])(
    'refuses to read a charger by %s with 400',
    async (id) => {
      expect(codeOf(await call('GET', `/v2/chargers/${id}`))).toBe('400 invalid_charger_id');
    },
  );

  it('responds with RFC 9457 problems that list all issues and the request id', async () => {
    const reply = await post('/v2/chargers?secret=1', { chargerId: 7, colour: 1 }, { 'x-request-id': 'mine' });
    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(reply.json()).toEqual({
      type: '/v2/errors/invalid_charger_id',
      title: 'The chargerId is invalid',
      status: 400,
      detail: 'chargerId must be string.',
      instance: '/v2/chargers',
      code: 'invalid_charger_id',
      requestId: 'mine',
      errors: [
        { path: '?secret', message: 'is not a known query parameter; this path has none' },
        { path: '/name', message: 'is required' },
        { path: '/colour', message: 'is not a known field' },
        { path: '/chargerId', message: 'must be string' },
      ],
    });
  });

  it.each([
    ['none', {}],
    ['an empty one', { 'x-api-key': '' }],
    ['a wrong one', { 'x-api-key': 'bb_wrong' }],
    ['a wrong bearer', { authorization: 'Bearer bb_wrong' }],
    ['basic credentials', { authorization: 'Basic YTpi' }],
  ])('responds 401 to %s as a key', async (_what, headers) => {
    const reply = await call('GET', '/v2/statistics', { headers: { 'x-api-key': [], ...headers } });
    expect(codeOf(reply)).toBe('401 unauthenticated');
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('accepts the key as a bearer token', async () => {
    const headers = { 'x-api-key': [], authorization: `Bearer ${key}` };
    expect((await call('GET', '/v2/statistics', { headers })).status).toBe(200);
  });

  it('creates a working key, shows its secret once, and revokes it', async () => {
    const made = (await post('/v2/api-keys', { name: 'App', permissions: ['chargers:read', 'keys:read'] })).json();
    expect(made).toMatchObject({
      name: 'App',
      permissions: ['chargers:read', 'keys:read'],
      expiresAt: null,
      lastUsedAt: null,
    });
    const secret = String(made['key']);
    const headers = { 'x-api-key': secret };
    expect((await call('GET', '/v2/statistics', { headers })).status).toBe(200);
    const list = await call('GET', '/v2/api-keys?sortKey=createdAt&sortDescending=true&search=app', { headers });
    expect(list.json()).toMatchObject({ page: 1, limit: 100, totalRecords: 1, hasNextPage: false });
    expect(list.json()['items']).toMatchObject([
      { id: made['id'], lastUsedAt: expect.stringMatching(TIMESTAMP) as string },
    ]);
    expect(list.text).not.toContain(secret);
    expect(codeOf(await post('/v2/sites', { name: 'x' }, headers))).toBe('403 forbidden');

    const id = String(made['id']);
    expect((await call('DELETE', `/v2/api-keys/${id}`, { headers: { 'x-api-key': otherKey } })).status).toBe(404);
    expect((await call('DELETE', `/v2/api-keys/${id}`)).json()).toEqual({ id });
    expect((await call('DELETE', `/v2/api-keys/${id}`)).status).toBe(404);
    expect((await call('GET', '/v2/statistics', { headers })).status).toBe(401);
  });

  it('rejects permissions that the caller lacks, and invalid expiries', async () => {
    const limited = await keyWith('keys:write', 'sites:read');
    const headers = { 'x-api-key': limited };
    expect(codeOf(await post('/v2/api-keys', { name: 'x', permissions: ['sites:write'] }, headers))).toBe(
      '403 forbidden',
    );
    expect((await post('/v2/api-keys', { name: 'x', permissions: ['sites:read'] }, headers)).status).toBe(200);
    for (const expiresAt of ['2020-01-01T00:00:00Z', '2030-02-30T00:00:00Z', '2030-01-01T23:59:60Z', 'tomorrow', 7]) {
      const body = { name: 'x', permissions: ['sites:read'], expiresAt };
      expect(codeOf(await post('/v2/api-keys', body))).toBe('400 invalid_request');
    }
    for (const permissions of [[], ['everything'], ['sites:read', 'sites:read'], 'sites:read']) {
      expect(codeOf(await post('/v2/api-keys', { name: 'x', permissions }))).toBe('400 invalid_request');
    }
    const expiring = await post('/v2/api-keys', {
      name: 'x',
      permissions: ['sites:read'],
      expiresAt: '2099-01-01T01:00:00+01:00',
    });
    expect(expiring.json()['expiresAt']).toBe('2099-01-01T00:00:00.000Z');
  });

  it("sets and removes a charger's credentials without showing them", async () => {
    await post('/v2/chargers', { name: 'x', chargerId: 'AUTH_1' });
    const path = '/v2/chargers/AUTH_1/authentication';
    const password = 'a-password-of-20-chr';
    const set = await call('PUT', path, { body: { password, securityProfile: 2 } });
    expect(set.json()).toEqual({ chargerId: 'AUTH_1', securityProfile: 2 });
    const stored = await world.platform.records.chargers.find('AUTH_1');
    expect(stored?.registered.authentication.passwordHash).toMatch(/^scrypt\$/);
    const shown = await call('GET', '/v2/chargers/AUTH_1');
    expect(shown.text).not.toMatch(/password|scrypt/);
    expect(shown.json()['authenticationSetAt']).toEqual(shown.json()['updatedAt']);
    expect((await call('PUT', path, { body: { authorizationKey: 'ff'.repeat(20) } })).json()['securityProfile']).toBe(
      1,
    );
    for (const body of [
      {},
      { password: 'short' },
      { password, authorizationKey: 'ff'.repeat(20) },
      { authorizationKey: 'ff' },
      { password, securityProfile: 4 },
    ]) {
      expect(codeOf(await call('PUT', path, { body }))).toBe('400 invalid_request');
    }
    expect((await call('DELETE', path)).json()).toEqual({ chargerId: 'AUTH_1', securityProfile: 0 });
    expect(JSON.stringify(world.logger.lines)).not.toContain(password);
  });

  it("counts only the caller's network", async () => {
    const fresh = await createClient({ ...world.platform.records, clock: systemClock }, { name: 'Fresh' });
    const headers = { 'x-api-key': fresh.secret };
    await post('/v2/sites', { name: 'One' }, headers);
    await post('/v2/chargers', { name: 'x', chargerId: 'COUNT_1', sockets: [{ id: 1 }, { id: 2 }] }, headers);
    const { socketsByState, ...numbers } = await counts(fresh.secret);
    expect(numbers).toEqual({
      sites: 1,
      chargers: 1,
      connectedChargers: 0,
      sockets: 2,
      sessionsInProgress: 0,
      sessionsToday: 0,
      energyTodayWh: 0,
    });
    expect(socketsByState).toMatchObject({ Offline: 2, Available: 0 });
  });

  it('serves its document without a key, with unique operation ids', async () => {
    const reply = await call('GET', '/v2/openapi.json', { headers: { 'x-api-key': [] } });
    const document = reply.json() as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document).toEqual(JSON.parse(JSON.stringify(world.app.openApi)));
    expect(document.openapi).toBe('3.1.0');
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(document.paths)).toEqual([
      '/v2/sites',
      '/v2/sites/{siteId}',
      '/v2/chargers',
      '/v2/chargers/{chargerId}',
      '/v2/chargers/{chargerId}/evses',
      '/v2/chargers/{chargerId}/sockets',
      '/v2/chargers/{chargerId}/sockets/{socketId}',
      '/v2/chargers/{chargerId}/authentication',
      '/v2/api-keys',
      '/v2/api-keys/{keyId}',
      '/v2/chargers/{chargerId}/ocpp-logs',
      '/v2/chargers/{chargerId}/ocpp-logs/stream',
      '/v2/connection-attempts',
      '/v2/chargers/{chargerId}/connections',
      '/v2/chargers/{chargerId}/events',
      '/v2/chargers/state-time-series',
      '/v2/sites/state-time-series',
      '/v2/sessions',
      '/v2/sessions/{transactionId}',
      '/v2/sessions/{transactionId}/meter-values',
      '/v2/sessions/{transactionId}/events',
      '/v2/sessions/{transactionId}/end',
      '/v2/tags',
      '/v2/tags/import',
      '/v2/tags/{idTag}',
      ...COMMANDS.map((command) => `/v2/chargers/{chargerId}/${command}`),
      '/v2/sessions/{transactionId}/cost',
      '/v2/sessions/{transactionId}/priority-charging',
      '/v2/commands/{commandId}',
      '/v2/chargers/{chargerId}/charging-profiles',
      '/v2/events',
      '/v2/events/stream',
      '/v2/events/{eventId}',
      '/v2/webhooks',
      '/v2/webhooks/{webhookId}',
      '/v2/webhooks/{webhookId}/secret',
      '/v2/webhooks/{webhookId}/test',
      '/v2/webhooks/{webhookId}/deliveries',
      '/v2/webhooks/{webhookId}/parked',
      '/v2/webhooks/{webhookId}/redeliver',
      '/v2/webhooks/{webhookId}/replay',
      '/v2/real-time-authorization',
      '/v2/real-time-authorization/test',
      '/v2/statistics',
      '/v2/statistics/sites',
      '/v2/operator/dead-letters',
      '/v2/operator/dead-letters/{deadLetterId}/replay',
      '/v2/operator/dead-letters/{deadLetterId}',
      '/v2/operator/processes',
      '/v2/openapi.json',
    ]);
  });
});
