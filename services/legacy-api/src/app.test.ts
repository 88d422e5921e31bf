import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain/clients';
import { newCharger } from '@busbar/domain/testing';
import type { AskOptions } from '@busbar/testing';
import { presentCharger } from './presenters/present-charger';
import { codeOf, openApp, type TestClient, type TestApp } from './testing/open-app';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the v1 (legacy) API', () => {
  let world: TestApp;
  let own: TestClient;
  let other: TestClient;

  beforeAll(async () => {
    world = await openApp();
    ({ own, other } = world);
  });

  afterAll(() => world.close());

  const call = (method: string, path: string, options: AskOptions = {}, { secret, client }: TestClient = own) =>
    world.callRaw(method, `${path}?code=${secret}&clientId=${client.clientId}`, options);

  const post = (path: string, body: unknown, as: TestClient = own) => call('POST', path, { body }, as);

  const addGroup = async (as: TestClient = own) =>
    Number((await post('/api/group/add', { name: 'Yard' }, as)).json()['id']);

  const counts = async () => {
    const { generatedAt, ...numbers } = (await call('GET', '/api/statistics')).json();
    expect(generatedAt).toMatch(TIMESTAMP);
    return numbers;
  };

  it('creates a group and returns its integer id', async () => {
    const reply = await post('/api/group/add', {
      name: 'Root',
      groupType: 'SUB_CPO',
      externalId: 'x',
      colour: 'ignored',
    });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({ id: expect.any(Number) as number });
    const id = Number(reply.json()['id']);
    const child = Number((await post('/api/group/add', { name: 'Child', parentGroupId: id })).json()['id']);
    expect(await world.platform.records.sites.find(own.client.clientId, child)).toMatchObject({
      name: 'Child',
      parentSiteId: id,
      groupType: 'SITE',
    });
  });

  it('accepts unknown fields in every object of a body, as documented', async () => {
    const groupId = await addGroup();
    const body = { chargerName: 'Gate', locationInfo: { city: 'Delft', colour: 'red' }, sockets: [{ id: 1, x: 1 }] };
    expect((await post(`/api/charger/add/ACME_OPEN/${String(groupId)}`, body)).status).toBe(200);
    const { schemas } = world.app.openApi['components'] as { schemas: Record<string, object> };
    const inputs = Object.entries(schemas).filter(([name]) => /(Input|Change|Search)$/.test(name));
    expect(inputs.map(([name]) => name)).toContain('LocationInfoInput');
    expect(inputs.filter(([, schema]) => 'additionalProperties' in schema)).toEqual([]);
  });

  it('registers a charger that can be read immediately, with empty fields', async () => {
    const groupId = await addGroup();
    const added = await post(`/api/charger/add/ACME_1/${String(groupId)}`, { chargerName: 'Gate' });
    expect([added.status, added.json()]).toEqual([200, { chargerId: 'ACME_1' }]);
    const read = await call('GET', '/api/charger/ACME_1');
    expect(read.status).toBe(200);
    expect(read.json()).toEqual({
      chargerId: 'ACME_1',
      chargerName: 'Gate',
      firmwareVersion: '',
      manufacturer: '',
      serialNumber: '',
      chargerModel: '',
      amountOfSockets: 0,
      lastSeen: '',
      lastMessage: '',
      activeConnection: false,
      locationInfo: {},
      pushIntegrationEnabled: false,
      chargerSpecificMessageStructure: false,
      chargerConfigurations: [],
      sockets: [],
      groupId,
      groupName: 'Yard',
      chargerStatus: 'Offline',
      ocppVersion: '',
    });
  });

  it('stores the other fields of a charger and ignores unknown ones', async () => {
    const groupId = await addGroup();
    const locationInfo = { latitude: 59.9, longitude: 10.7, streetAddress: 'Storgata', houseLetter: 'B', city: 'Oslo' };
    await post(`/api/charger/add/ACME_2/${String(groupId)}`, {
      chargerName: 'Gate',
      locationInfo: { ...locationInfo, planet: 'Earth' },
      pushIntegrationEnabled: true,
      chargerSpecificMessageStructure: true,
      sockets: [{ id: 1, type: 'Type2', maxPower: '22', name: 'left', colour: 'red', status: 'Charging' }],
      evseId: 'NO*1',
      colour: 'red',
      siteId: 1,
    });
    expect((await call('GET', '/api/charger/ACME_2')).json()).toMatchObject({
      locationInfo,
      pushIntegrationEnabled: true,
      chargerSpecificMessageStructure: true,
      amountOfSockets: 1,
      sockets: [{ id: 1, type: 'Type2', maxPower: '22', name: 'left', status: 'Offline' }],
    });
    const stored = JSON.stringify(await world.platform.records.chargers.find('ACME_2'));
    expect(stored).not.toMatch(/colour|planet|chargerName/);
  });

  it('shows the reports of a charger', () => {
    const position = [1, 1] as const;
    const at = '2026-01-02T03:04:05.678Z';
    const status = { state: 'Charging', errorCode: '', info: '', vendorErrorCode: '', at, position } as const;
    const boot = {
      manufacturer: 'M',
      model: 'X',
      serial: 'S',
      firmware: 'F',
      iccid: '',
      imsi: '',
      meterType: '',
      meterSerialNumber: '',
      at,
      position,
    };
    const charger = newCharger({
      chargerId: 'A',
      registered: { name: 'N', siteId: 3 },
      connection: { active: true, ocppVersion: '1.6' },
      reported: {
        ownState: 'Charging',
        lastSeen: at,
        lastMessage: '[2,"1","Heartbeat",{}]',
        boot,
        sockets: { '1': status },
      },
    });
    expect(presentCharger({ charger, siteName: 'Yard' })).toMatchObject({
      firmwareVersion: 'F',
      manufacturer: 'M',
      serialNumber: 'S',
      chargerModel: 'X',
      amountOfSockets: 1,
      lastSeen: at,
      lastMessage: '[2,"1","Heartbeat",{}]',
      activeConnection: true,
      sockets: [{ type: '', maxPower: '', status: 'Charging', id: 1, lastUpdated: at, errorCode: '' }],
      groupId: 3,
      groupName: 'Yard',
      chargerStatus: 'Charging',
      ocppVersion: '1.6',
    });
  });

  it.each([
    ['a%2Fb', '400 invalid_charger_id'],
    ['a%3Fb', '400 invalid_charger_id'],
    ['a%23b', '400 invalid_charger_id'],
    ['a%25b', '400 invalid_charger_id'],
    ['a%5Cb', '400 invalid_charger_id'],
    ['a%20b', '400 invalid_charger_id'],
    ['a%0Ab', '400 invalid_charger_id'],
    ['%2e%2e', '400 invalid_charger_id'],
    ['%zz', '400 invalid_charger_id'],
    ['%C3%A5', '400 invalid_charger_id'],
    ['x'.repeat(49), '400 invalid_charger_id'],
  ])('rejects the chargerId %s with any body and changes nothing', async (chargerId, answer) => {
    const groupId = await addGroup();
    const before = await counts();
    const path = `/api/charger/add/${chargerId}/${String(groupId)}`;
    expect(codeOf(await post(path, { chargerName: 'x' }))).toBe(answer);
    expect(codeOf(await call('POST', path))).toBe(answer);
    expect(codeOf(await call('GET', `/api/charger/${chargerId}`))).toBe(answer);
    expect(await counts()).toEqual(before);
  });

  it('rejects a chargerId that is a path of the v2 API', async () => {
    const path = `/api/charger/add/state-time-series/${String(await addGroup())}`;
    expect(codeOf(await post(path, { chargerName: 'x' }))).toBe('400 invalid_charger_id');
    expect(codeOf(await call('GET', '/api/charger/state-time-series'))).toBe('404 not_found');
  });

  it.each([
    ['charger', 'groupId=%zz', '400 invalid_group_id'],
    ['group', 'excludeDetails=tru%E9', '400 invalid_request'],
  ])('rejects a query that cannot be decoded: %s?%s', async (path, query, answer) => {
    const { secret, client } = own;
    const reply = await world.callRaw('GET', `/api/${path}?code=${secret}&clientId=${client.clientId}&${query}`);
    expect(codeOf(reply)).toBe(answer);
    expect(reply.json()['message']).toBe(`${query.split('=')[0] ?? ''} is not validly percent-encoded UTF-8.`);
  });

  it.each(['abc', '1.5', '1e0', '0x1', '-1', '0', '%201', '999999', '99999999999999999999', '%zz'])(
    'refuses the groupId %s and changes nothing',
    async (groupId) => {
      const before = await counts();
      expect(codeOf(await post(`/api/charger/add/GROUP_1/${groupId}`, { chargerName: 'x' }))).toBe(
        '400 invalid_group_id',
      );
      expect(await counts()).toEqual(before);
      expect(codeOf(await call('GET', '/api/charger/GROUP_1'))).toBe('404 not_found');
    },
  );

  it.each([
    ['no body', undefined, '400 invalid_request'],
    ['no name', {}, '400 invalid_request'],
    ['a blank name', { chargerName: '  ' }, '400 invalid_request'],
    ['an invisible name', { chargerName: '\u0000' }, '400 invalid_request'],
    ['a name that is a number', { chargerName: 1 }, '400 invalid_request'],
    ['a list', [], '400 invalid_request'],
    ['broken sockets', { chargerName: 'x', sockets: [{ id: 'one' }] }, '400 invalid_request'],
    ['a flag that is a text', { chargerName: 'x', pushIntegrationEnabled: 'true' }, '400 invalid_request'],
  ])('rejects a charger with %s', async (_what, body, answer) => {
    const groupId = await addGroup();
    expect(codeOf(await post(`/api/charger/add/BODY_1/${String(groupId)}`, body))).toBe(answer);
    expect((await call('GET', '/api/charger/BODY_1')).status).toBe(404);
  });

  it('separates clients: chargers, groups and ids', async () => {
    const groupId = await addGroup();
    const theirGroupId = await addGroup(other);
    await post(`/api/charger/add/OWN_1/${String(groupId)}`, { chargerName: 'x' });
    expect(codeOf(await call('GET', '/api/charger/OWN_1', {}, other))).toBe('404 not_found');
    const intoMine = await post(`/api/charger/add/THEIRS_1/${String(groupId)}`, { chargerName: 'x' }, other);
    expect(codeOf(intoMine)).toBe('400 invalid_group_id');
    const sameId = await post(`/api/charger/add/OWN_1/${String(theirGroupId)}`, { chargerName: 'x' }, other);
    expect(codeOf(sameId)).toBe('409 charger_id_taken');
    const underMine = await post('/api/group/add', { name: 'x', parentGroupId: groupId }, other);
    expect(codeOf(underMine)).toBe('400 invalid_group_id');
  });

  it('responds 401 unless code and clientId are sent once each and match', async () => {
    const [code, clientId] = [`code=${own.secret}`, `clientId=${own.client.clientId}`];
    const wrong = [
      '',
      code,
      clientId,
      `code=&${clientId}`,
      `code=wrong&${clientId}`,
      `${code}&clientId=wrong`,
      `${code}&clientId=${other.client.clientId}`,
      `${code}&${code}&${clientId}`,
      `${code}&${clientId}&${clientId}`,
      `CODE=${own.secret}&${clientId}`,
    ];
    for (const query of wrong) {
      const reply = await world.callRaw('GET', `/api/statistics?${query}`);
      expect([query, codeOf(reply)]).toEqual([query, '401 unauthenticated']);
    }
    const inHeader = await world.callRaw('GET', '/api/statistics', { headers: { 'x-api-key': own.secret } });
    expect(inHeader.status).toBe(401);
    expect((await world.callRaw('GET', `/api/statistics?${clientId}&${code}&x=1`)).status).toBe(200);
  });

  it('responds with its own error format, without the query', async () => {
    const reply = await call('POST', '/api/group/add', {
      body: '{',
      headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
    });
    expect(reply.json()).toEqual({
      errorCode: 'invalid_json',
      message: 'The body is not valid JSON. Send JSON in UTF-8.',
      requestId: 'mine',
    });
    expect(reply.headers['x-request-id']).toBe('mine');
  });

  it('counts the network with its own field names', async () => {
    const fresh = await createClient({ ...world.platform.records, clock: systemClock }, { name: 'Fresh' });
    const groupId = await addGroup(fresh);
    await post(`/api/charger/add/COUNT_1/${String(groupId)}`, { chargerName: 'x', sockets: [{ id: 1 }] }, fresh);
    const numbers = (await call('GET', '/api/statistics', {}, fresh)).json();
    expect(numbers).toEqual({
      groups: 1,
      chargers: 1,
      connectedChargers: 0,
      sockets: 1,
      socketsByStatus: expect.objectContaining({ Offline: 1, Charging: 0 }) as object,
      transactionsInProgress: 0,
      transactionsToday: 0,
      energyTodayWh: 0,
      generatedAt: expect.stringMatching(TIMESTAMP) as string,
    });
  });

  it('serves its document without a key, with code and clientId as security', async () => {
    const document = (await world.callRaw('GET', '/api/swagger.json')).json();
    expect(document).toEqual(JSON.parse(JSON.stringify(world.app.openApi)));
    expect(document['openapi']).toBe('3.0.3');
    expect(document['security']).toEqual([{ code: [], clientId: [] }]);
    expect(Object.keys(document['paths'] as object)).toEqual([
      '/api/group/add',
      '/api/group',
      '/api/group/{groupId}',
      '/api/charger/add/{chargerId}/{groupId}',
      '/api/charger',
      '/api/charger/{chargerId}',
      '/api/charger/start/{chargerId}/{socketId}/{rfidTag}',
      '/api/charger/stop/{chargerId}/{transactionId}',
      '/api/charger/reboot/{chargerId}',
      '/api/charger/unlock/{chargerId}/{socketId}',
      '/api/charger/changeConfig/{chargerId}',
      '/api/statistics',
      '/api/statistics/transactions',
      '/api/swagger.json',
    ]);
    // Keywords of JSON Schema that OpenAPI 3.0 does not have.
    expect(JSON.stringify(document)).not.toMatch(/"type":\[|"const":|"examples":\[/);
  });
});
