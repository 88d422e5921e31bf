import { noRows } from '@busbar/domain/reports';
import { DEFAULT_COMPATIBILITY, type BootReport, type Charger } from '@busbar/domain/chargers';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = '2026-03-01T00:00:00.000Z';

describe('chargers of the v2 API', () => {
  let world: TestApp;
  let siteId: number;

  beforeAll(async () => {
    world = await openApp();
    siteId = await makeSite({ name: 'Yard' });
    await makeSite({ name: 'Theirs' }, theirs());
  });
  afterAll(() => world.close());

  const theirs = () => ({ 'x-api-key': world.other.secret });
  const makeSite = async (body: object, headers = {}): Promise<number> =>
    Number((await world.post('/sites', { name: 'Site', ...body }, headers)).json()['id']);
  const make = (chargerId: string, body: object = {}, headers = {}) =>
    world.post('/chargers', { chargerId, name: chargerId, ...body }, headers);
  const read = async (chargerId: string) => (await world.call('GET', `/chargers/${chargerId}`)).json();
  const patch = (chargerId: string, body: unknown, headers = {}) =>
    world.call('PATCH', `/chargers/${chargerId}`, { body, headers });
  const idsOf = async (query: string, headers = {}): Promise<unknown[]> => {
    const { items } = (await world.call('GET', `/chargers?${query}`, { headers })).json();
    return (items as { chargerId: string }[]).map(({ chargerId }) => chargerId);
  };

  /** Stores a report of the charger as charger-state does. */
  async function report(chargerId: string, change: (before: Charger) => Partial<Charger>): Promise<void> {
    const reports = createReportStore(world.platform.store);
    const [from] = await reports.loadChargers([chargerId]);
    if (from === undefined) throw new Error(`no ${chargerId}`);
    const to = { ...from, ...change(from), revision: from.revision + 1 };
    expect(await reports.write(noRows(), [{ from, to }])).toBe('written');
  }

  const booted = (manufacturer: string, model: string): BootReport => ({
    manufacturer,
    model,
    serial: 'S',
    firmware: 'F',
    iccid: '',
    imsi: '',
    meterType: '',
    meterSerialNumber: '',
    at,
    position: [1, 1],
  });

  it('treats null as absent, also in fields of their sockets', async () => {
    const names = [
      ...['siteId', 'location', 'pushIntegrationEnabled', 'chargerSpecificMessageStructure', 'evseId', 'capabilities'],
      ...['splitEvseBySocket', 'physicalReference', 'integrationRelays', 'customProperties'],
    ];
    const sockets = [{ id: 1 }];
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    await make('BARE_1', { sockets });
    expect((await make('NULLS_1', { ...nulls, sockets: [{ id: 1, name: null, maxWatts: null }] })).status).toBe(200);
    expect((await make('NULLS_2', { location: { city: null, latitude: null }, sockets: null })).status).toBe(200);
    const bare = await read('BARE_1');
    const own = ({ chargerId, createdAt }: Record<string, unknown>) => ({
      chargerId,
      name: chargerId,
      createdAt,
      updatedAt: createdAt,
    });
    const [first, second] = [await read('NULLS_1'), await read('NULLS_2')];
    expect(first).toEqual({ ...bare, ...own(first) });
    expect(second).toEqual({ ...bare, ...own(second), sockets: [] });
    const replaced = await patch('NULLS_2', { sockets: [{ id: 1, type: null }] });
    expect(replaced.json()['sockets']).toEqual(bare['sockets']);
    const stored = await world.platform.records.chargers.findOwned(world.own.client.clientId, 'NULLS_2');
    expect(stored?.registered).toMatchObject({ location: {}, sockets: [{ id: 1 }] });
  });

  it('changes them field by field: keeps absent fields, and clears with null', async () => {
    await make('PATCH_1', {
      location: { city: 'Oslo', country: 'NO' },
      evseId: 'E1',
      capabilities: ['a'],
      customProperties: { floor: 1, none: null },
      pushIntegrationEnabled: true,
    });
    const reply = await patch('PATCH_1', {
      name: 'After',
      location: { city: null, area: 'North' },
      evseId: null,
      capabilities: null,
      customProperties: { roof: true },
      compatibility: { assumeOcpp16: true },
    });
    expect(reply.json()).toMatchObject({
      chargerId: 'PATCH_1',
      name: 'After',
      location: { city: null, area: 'North', country: 'NO' },
      evseId: null,
      capabilities: [],
      customProperties: { roof: true },
      pushIntegrationEnabled: true,
      compatibility: { ...DEFAULT_COMPATIBILITY, assumeOcpp16: true },
    });
    expect(await read('PATCH_1')).toEqual(reply.json());
    const cleared = { location: null, compatibility: null, customProperties: null, pushIntegrationEnabled: null };
    expect((await patch('PATCH_1', cleared)).json()).toMatchObject({
      name: 'After',
      location: { area: null, country: null },
      compatibility: { assumeOcpp16: false },
      customProperties: {},
      pushIntegrationEnabled: false,
    });
  });

  it.each([
    ['another chargerId', { chargerId: 'PATCH_2' }, '400 invalid_request'],
    ['no name', { name: null }, '400 invalid_request'],
    ['no site', { siteId: null }, '400 invalid_site_id'],
    ['an unknown site', { siteId: 999_999 }, '400 invalid_site_id'],
    ['an unknown switch', { compatibility: { magic: true } }, '400 invalid_request'],
    ['two sockets of one id', { sockets: [{ id: 1 }, { id: 1 }] }, '400 invalid_request'],
    ['a dotted property', { customProperties: { 'a.b': 1 } }, '400 invalid_request'],
    ['a socket without an id', { sockets: [{ id: null }] }, '400 invalid_request'],
  ])('rejects a change to %s without effect', async (_what, body, answer) => {
    await make('REFUSE_1');
    const before = await read('REFUSE_1');
    expect(codeOf(await patch('REFUSE_1', body))).toBe(answer);
    expect(await read('REFUSE_1')).toEqual(before);
  });

  it('lists every invalid field in one response, also repeated sockets', async () => {
    await make('WRONG_1');
    const reply = await patch('WRONG_1', { name: '', colour: 1, location: { latitude: 91 } });
    const paths = (reply.json()['errors'] as { path: string }[]).map(({ path }) => path).sort();
    expect(paths).toEqual(['/colour', '/location/latitude', '/name', '/name']);
    const properties = await patch('WRONG_1', { customProperties: { $set: 1, 'a.b': 1, fine: 1 } });
    expect(properties.json()['errors']).toMatchObject([
      { path: '/customProperties/$set' },
      { path: '/customProperties/a.b' },
    ]);
    const twins = await patch('WRONG_1', { sockets: [{ id: 1 }, { id: 2 }, { id: 1 }, { id: 2 }] });
    expect(twins.json()['errors']).toMatchObject([{ path: '/sockets/2/id' }, { path: '/sockets/3/id' }]);
    expect((await patch('WRONG_1', { siteId: 999_999 })).json()['errors']).toMatchObject([{ path: '/siteId' }]);
  });

  it('moves them only between sites of their client', async () => {
    const [from, to] = [await makeSite({ name: 'From' }), await makeSite({ name: 'To' })];
    await make('MOVE_1', { siteId: from });
    expect((await patch('MOVE_1', { siteId: to })).json()).toMatchObject({ siteId: to, siteName: 'To' });
    const counts = async (id: number) => (await world.call('GET', `/sites/${String(id)}`)).json()['numberOfChargers'];
    expect([await counts(from), await counts(to)]).toEqual([0, 1]);
    const foreign = await makeSite({}, theirs());
    expect(codeOf(await patch('MOVE_1', { siteId: foreign }))).toBe('400 invalid_site_id');
    expect(codeOf(await patch('MOVE_1', { name: 'x' }, theirs()))).toBe('404 not_found');
    expect(codeOf(await patch('NONE_1', { name: 'x' }))).toBe('404 not_found');
  });

  it('accepts registered sockets together or one by one', async () => {
    await make('SOCKETS_1', { sockets: [{ id: 9, type: 'Old' }] });
    const put = (body: unknown) => world.call('PUT', '/chargers/SOCKETS_1/sockets', { body });
    const one = (id: number, body: unknown) =>
      world.call('PATCH', `/chargers/SOCKETS_1/sockets/${String(id)}`, { body });
    const reply = await put({ sockets: [{ id: 2, type: 'CCS2', maxWatts: 50_000 }, { id: 1 }] });
    expect(reply.json()).toMatchObject({
      chargerId: 'SOCKETS_1',
      sockets: [
        { id: 1, type: '', maxWatts: null },
        { id: 2, type: 'CCS2', maxWatts: 50_000 },
      ],
    });
    expect((await read('SOCKETS_1'))['sockets']).toEqual(reply.json()['sockets']);
    expect((await one(2, { name: 'Left', maxWatts: null })).json()['sockets']).toMatchObject([
      { id: 1 },
      { id: 2, name: 'Left', type: 'CCS2', maxWatts: null },
    ]);
    expect(codeOf(await one(3, { name: 'x' }))).toBe('404 not_found');
    await report('SOCKETS_1', ({ reported }) => ({
      reported: {
        ...reported,
        sockets: {
          '3': { state: 'Available', errorCode: '', info: '', vendorErrorCode: '', at, position: [1, 1] },
        },
      },
    }));
    expect((await one(3, { name: 'Reported' })).json()['sockets']).toMatchObject([{}, {}, { id: 3, name: 'Reported' }]);
    expect((await put({ sockets: [] })).json()['sockets']).toMatchObject([{ id: 3, name: '' }]);
    for (const body of [{}, { sockets: [{ id: 0 }] }, { sockets: [{ id: 1 }, { id: 1 }] }, { sockets: null }]) {
      expect(codeOf(await put(body))).toBe('400 invalid_request');
    }
    expect((await one(10_000, {})).status).toBe(400);
  });

  it('keeps their version when a change has no effect', async () => {
    const input = {
      name: 'Same',
      location: { city: 'Oslo' },
      sockets: [{ id: 1, name: 'L' }],
      capabilities: ['a'],
      customProperties: { b: 1, a: null },
      evseId: null,
    };
    const made = await make('SAME_1', input);
    const { etag } = made.headers;
    const bodies = [{}, input, { siteId: made.json()['siteId'], splitEvseBySocket: null, compatibility: null }];
    for (const body of [...bodies, { location: { area: null }, customProperties: { a: null, b: 1 } }]) {
      const reply = await patch('SAME_1', body, { 'if-match': String(etag) });
      expect([reply.headers.etag, reply.json()]).toEqual([etag, made.json()]);
    }
    const socket = await world.call('PATCH', '/chargers/SAME_1/sockets/1', { body: { name: 'L', type: null } });
    expect(socket.headers.etag).toBe(etag);
    expect(codeOf(await patch('SAME_1', {}, { 'if-match': '"0"' }))).toBe('412 precondition_failed');
    expect((await patch('SAME_1', { customProperties: { b: 1 } })).headers.etag).not.toBe(etag);
  });

  it('rejects a change with a stale If-Match, but not because of reports', async () => {
    await make('ETAG_1');
    const seen = String((await world.call('GET', '/chargers/ETAG_1')).headers.etag);
    expect(seen).toMatch(/^"[\w.-]+"$/);
    await report('ETAG_1', ({ reported }) => ({ reported: { ...reported, lastSeen: at } }));
    const afterReport = await world.call('GET', '/chargers/ETAG_1');
    expect([afterReport.headers.etag, afterReport.json()['lastSeen']]).toEqual([seen, at]);
    const first = await patch('ETAG_1', { name: 'First' }, { 'if-match': seen });
    expect(first.status).toBe(200);
    expect(first.headers.etag).not.toBe(seen);
    const stale = { headers: { 'if-match': seen } };
    expect(codeOf(await patch('ETAG_1', { name: 'x' }, stale.headers))).toBe('412 precondition_failed');
    expect(codeOf(await world.call('DELETE', '/chargers/ETAG_1', stale))).toBe('412 precondition_failed');
    const put = await world.call('PUT', '/chargers/ETAG_1/sockets', { ...stale, body: { sockets: [] } });
    expect(codeOf(put)).toBe('412 precondition_failed');
    const now = { 'if-match': `W/"x", ${String(first.headers.etag)}` };
    const races = await Promise.all(['a', 'b', 'c'].map((name) => patch('ETAG_1', { name }, now)));
    expect(races.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const free = await Promise.all(['d', 'e', 'f'].map((name) => patch('ETAG_1', { evseId: name })));
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(codeOf(await patch('ETAG_1', {}, { 'if-match': 'nonsense' }))).toBe('400 invalid_request');
  });

  it('changes their version with their credentials', async () => {
    const path = '/chargers/SECRET_1/authentication';
    const etagOf = async () => String((await world.call('GET', '/chargers/SECRET_1')).headers.etag);
    const made = await make('SECRET_1');
    const stale = { 'if-match': String(made.headers.etag) };
    const put = (headers: Record<string, string> = {}) =>
      world.call('PUT', path, { headers, body: { password: 'x'.repeat(16) } });
    const first = await put(stale);
    expect([first.status, first.headers.etag]).toEqual([200, await etagOf()]);
    expect(first.headers.etag).not.toBe(made.headers.etag);
    expect(codeOf(await put(stale))).toBe('412 precondition_failed');
    expect(codeOf(await world.call('DELETE', path, { headers: stale }))).toBe('412 precondition_failed');
    expect(codeOf(await patch('SECRET_1', { name: 'x' }, stale))).toBe('412 precondition_failed');
    const now = { 'if-match': await etagOf() };
    const races = await Promise.all([put(now), patch('SECRET_1', { name: 'x' }, now), put(now)]);
    expect(races.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const free = await Promise.all([put(), patch('SECRET_1', { name: 'y' }), put(), world.call('DELETE', path)]);
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await world.call('DELETE', path, { headers: { 'if-match': await etagOf() } });
    const removed = await etagOf();
    const again = await world.call('DELETE', path, { headers: { 'if-match': removed } });
    expect([again.status, again.headers.etag]).toEqual([200, removed]);
    expect(await etagOf()).toBe(removed);
  });

  it('deletes them with their reports, and lets any client register their id', async () => {
    const made = await make('GONE_1', { evseId: 'mine', siteId });
    await report('GONE_1', ({ reported }) => ({ reported: { ...reported, boot: booted('Acme', 'M') } }));
    const stored = await world.platform.records.chargers.find('GONE_1');
    await keepSession('GONE_1', stored?.incarnationId ?? '');
    expect(codeOf(await world.call('DELETE', '/chargers/GONE_1', { headers: theirs() }))).toBe('404 not_found');
    expect((await world.call('DELETE', '/chargers/GONE_1')).json()).toEqual({ chargerId: 'GONE_1' });
    expect(codeOf(await world.call('DELETE', '/chargers/GONE_1'))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', '/chargers/GONE_1'))).toBe('404 not_found');
    const again = await make('GONE_1', {}, theirs());
    expect(again.json()).toMatchObject({ manufacturer: '', evseId: null, lastSeen: null });
    expect(again.headers.etag).not.toBe(made.headers.etag);
    expect(codeOf(await world.call('GET', '/chargers/GONE_1'))).toBe('404 not_found');
    const session = await world.call('GET', '/sessions/4711');
    expect(session.json()).toMatchObject({ transactionId: 4711, chargerId: 'GONE_1', state: 'superseded' });
    expect((await world.call('GET', '/sessions/4711', { headers: theirs() })).status).toBe(404);
  });

  async function keepSession(chargerId: string, incarnationId: string): Promise<void> {
    const { clientId } = world.own.client;
    const session = newSession({ transactionId: 4711, chargerId, incarnationId, siteId, clientId });
    await createReportStore(world.platform.store).write({ ...noRows(), sessions: [session] }, []);
  }

  describe('the lists', () => {
    let sub: number;
    let headers: Record<string, string>;

    beforeAll(async () => {
      headers = theirs();
      const root = await makeSite({ name: 'Root', externalId: 'ROOT-X' }, headers);
      sub = await makeSite({ name: 'Sub', parentSiteId: root, externalId: 'SUB-X' }, headers);
      const deep = await makeSite({ name: 'Deep', parentSiteId: sub }, headers);
      for (const [chargerId, name, at] of [
        ['LIST_1', 'Gate', root],
        ['LIST_2', 'alpha', sub],
        ['list_3', 'Beta 🔌', deep],
        ['OTHER_4', 'list of names', deep],
      ] as const) {
        await make(chargerId, { name, siteId: at }, headers);
      }
      await report('LIST_1', (before) => ({
        connection: { ...before.connection, active: true, ocppVersion: 'ocpp1.6' },
        reported: { ...before.reported, boot: booted('Acme', 'M1'), ownState: 'Charging' },
      }));
      await report('LIST_2', (before) => ({
        connection: { ...before.connection, active: true, ocppVersion: 'ocpp1.6' },
        reported: { ...before.reported, boot: booted('Acme', 'M2'), ownState: 'Available' },
      }));
      await report('OTHER_4', (before) => ({
        reported: {
          ...before.reported,
          boot: booted('Brand', 'M1'),
          ownState: 'Charging',
          configuration: [{ configName: 'C', configValue: 'v', canBeChanged: true }],
        },
      }));
    });

    it.each([
      ['', ['GONE_1', 'LIST_1', 'LIST_2', 'OTHER_4', 'list_3']],
      ['sortDescending=true', ['list_3', 'OTHER_4', 'LIST_2', 'LIST_1', 'GONE_1']],
      ['externalSiteId=ROOT-X', ['LIST_1']],
      ['externalSiteId=ROOT-X&includeSubsites=true', ['LIST_1', 'LIST_2', 'OTHER_4', 'list_3']],
      ['externalSiteId=SUB-X&includeSubsites=true&sortKey=name', ['LIST_2', 'list_3', 'OTHER_4']],
      ['externalSiteId=NONE', []],
      ['siteId=999999&includeSubsites=true', []],
      ['manufacturer=Acme', ['LIST_1', 'LIST_2']],
      ['model=M1', ['LIST_1', 'OTHER_4']],
      ['manufacturer=Acme&model=M1', ['LIST_1']],
      ['state=Charging', ['LIST_1']],
      ['state=Offline', ['GONE_1', 'OTHER_4', 'list_3']],
      ['state=Available&activeConnection=true', ['LIST_2']],
      ['state=Offline&activeConnection=true', []],
      ['activeConnection=false&model=M1', ['OTHER_4']],
      ['ocppVersion=ocpp1.6', ['LIST_1', 'LIST_2']],
      ['search=LIST_', ['LIST_1', 'LIST_2', 'list_3']],
      ['search=list&sortKey=name', ['LIST_2', 'list_3', 'LIST_1', 'OTHER_4']],
      ['search=beta%20', ['list_3']],
      ['search=LIST&state=Charging', ['LIST_1']],
      ['search=%25', []],
      ['sortKey=createdAt&limit=2', ['GONE_1', 'LIST_1']],
    ])('finds them by ?%s', async (query, expected) => {
      expect(await idsOf(query, headers)).toEqual(expected);
    });

    it('rejects a filter by an unknown OCPP version', async () => {
      expect(await idsOf('ocppVersion=ocpp2.1', headers)).toEqual([]);
      const reply = await world.call('GET', '/chargers?ocppVersion=1.6', { headers });
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.json()['errors']).toMatchObject([{ path: '?ocppVersion' }]);
    });

    it('finds them by site, on request with the sites below', async () => {
      expect(await idsOf(`siteId=${String(sub)}`, headers)).toEqual(['LIST_2']);
      expect(await idsOf(`siteId=${String(sub)}&includeSubsites=true`, headers)).toEqual([
        'LIST_2',
        'OTHER_4',
        'list_3',
      ]);
      const both = `siteId=${String(sub)}&externalSiteId=ROOT-X`;
      expect(await idsOf(both, headers)).toEqual([]);
      expect(await idsOf(`${both}&includeSubsites=true`, headers)).toEqual(['LIST_2', 'OTHER_4', 'list_3']);
      expect(await idsOf(`siteId=${String(sub)}`)).toEqual([]);
    });

    it('pages them, each once', async () => {
      const seen: unknown[] = [];
      for (let page = 1; page <= 3; page += 1) {
        const reply = (await world.call('GET', `/chargers?limit=2&page=${String(page)}`, { headers })).json();
        expect(reply).toMatchObject({
          page,
          limit: 2,
          totalRecords: 5,
          hasNextPage: page < 3,
          hasPreviousPage: page > 1,
        });
        seen.push(...(reply['items'] as { chargerId: string }[]).map(({ chargerId }) => chargerId));
      }
      expect(seen).toEqual(['GONE_1', 'LIST_1', 'LIST_2', 'OTHER_4', 'list_3']);
    });

    it('finds configuration items by name without case', async () => {
      const path = '/chargers/OTHER_4/configuration?configNames=c&configNames=X';
      const { chargerConfigurations, unknownConfigNames } = (await world.call('GET', path, { headers })).json();
      expect(chargerConfigurations).toMatchObject([{ configName: 'C', configValue: 'v' }]);
      expect(unknownConfigNames).toEqual(['X']);
    });

    it('shows the whole record, the configuration only on request', async () => {
      const list = async (query: string) => {
        const { items } = (await world.call('GET', `/chargers?search=OTHER&${query}`, { headers })).json();
        return (items as Record<string, unknown>[])[0] ?? {};
      };
      expect(await list('')).not.toHaveProperty('chargerConfigurations');
      const whole = await list('includeChargerConfigurations=true');
      expect(whole).toMatchObject({ siteName: 'Deep', chargerConfigurations: [{ configName: 'C' }] });
      expect(whole).toEqual((await world.call('GET', '/chargers/OTHER_4', { headers })).json());
    });

    it('follows a new name in search and order', async () => {
      await make('RENAME_1', { name: 'Zulu' }, headers);
      await patch('RENAME_1', { name: 'AAA first' }, headers);
      expect(await idsOf('search=zulu', headers)).toEqual([]);
      expect((await idsOf('sortKey=name', headers))[0]).toBe('RENAME_1');
      await world.call('DELETE', '/chargers/RENAME_1', { headers });
      expect(await idsOf('search=aaa', headers)).toEqual([]);
    });

    it.each(['state=Sleeping', 'siteId=x', 'activeConnection=yes', 'sortKey=lastSeen', 'search=', 'limit=1000'])(
      'refuses the query %s',
      async (query) => {
        expect((await world.call('GET', `/chargers?${query}`)).status).toBe(400);
      },
    );
  });
});
