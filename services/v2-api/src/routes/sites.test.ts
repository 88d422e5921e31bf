import { codeOf, openApp, type TestApp } from '../testing/open-app';

describe('sites of the v2 API', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  const theirs = () => ({ 'x-api-key': world.other.secret });
  const make = async (body: object, headers = {}): Promise<number> =>
    Number((await world.post('/sites', { name: 'Site', ...body }, headers)).json()['id']);
  const read = async (id: number) => (await world.call('GET', `/sites/${String(id)}`)).json();
  const patch = (id: number, body: unknown, headers = {}) =>
    world.call('PATCH', `/sites/${String(id)}`, { body, headers });
  const idsOf = async (query: string): Promise<unknown[]> => {
    const { items } = (await world.call('GET', `/sites?${query}`)).json();
    return (items as { id: number }[]).map(({ id }) => id);
  };

  it('shows their path and content', async () => {
    const root = await make({ name: 'Root' });
    const middle = await make({ name: 'Middle', parentSiteId: root });
    const leaf = await make({ name: 'Leaf', parentSiteId: middle });
    await world.post('/chargers', { name: 'x', chargerId: 'PLACED_1', siteId: middle });
    expect(await read(leaf)).toMatchObject({ parentName: 'Middle', sitePath: 'Root / Middle / Leaf' });
    expect(await read(middle)).toMatchObject({ numberOfChargers: 1, numberOfSubsites: 1, parentSiteId: root });
    expect(await read(root)).toMatchObject({ numberOfChargers: 0, numberOfSubsites: 1, parentName: null });
  });

  it('counts the sockets of each site by state, of the caller alone', async () => {
    const [one, two, bare] = [await make({}), await make({}), await make({})];
    const theirSite = await make({}, theirs());
    const sockets = [{ id: 1 }, { id: 2 }];
    for (const [n, siteId] of [two, one, one].entries()) {
      await world.post('/chargers', { name: 'x', chargerId: `SOCKETS_${String(n)}`, siteId, sockets });
    }
    await world.post('/chargers', { name: 'x', chargerId: 'SOCKETS_9', siteId: theirSite, sockets }, theirs());
    const asked = [two, one, one, bare, theirSite, 999_999].join();
    const reply = (await world.call('GET', `/statistics/sites?siteIds=${asked}`)).json();
    expect(reply['items']).toEqual([
      { siteId: one, sockets: 4, socketsByState: { Offline: 4 } },
      { siteId: two, sockets: 2, socketsByState: { Offline: 2 } },
    ]);
    expect(codeOf(await world.call('GET', '/statistics/sites'))).toBe('400 invalid_request');
    const tooMany = Array.from({ length: 101 }, (_, n) => n + 1).join();
    expect(codeOf(await world.call('GET', `/statistics/sites?siteIds=${tooMany}`))).toBe('400 invalid_request');
    expect(codeOf(await world.call('GET', '/statistics/sites?siteIds=x'))).toBe('400 invalid_site_id');
  });

  it('treats null as absent', async () => {
    const names = [
      ...['publicName', 'externalId', 'parentSiteId', 'groupType', 'streetAddress', 'city', 'postalCode', 'country'],
      ...['latitude', 'longitude', 'timezone', 'isPublicSite', 'parkingType', 'tags', 'notes'],
    ];
    const [bare, nulls] = [await make({}), await make(Object.fromEntries(names.map((name) => [name, null])))];
    const timestamps = { createdAt: 0, updatedAt: 0 };
    expect({ ...(await read(nulls)), id: bare, ...timestamps }).toEqual({ ...(await read(bare)), ...timestamps });
  });

  it('changes them field by field: keeps absent fields, and clears with null', async () => {
    const id = await make({ name: 'Before', city: 'Oslo', country: 'NO', tags: ['a'], isPublicSite: true });
    const reply = await patch(id, { name: 'After', city: null, tags: null, isPublicSite: null, groupType: 'CIRCUIT' });
    expect(reply.json()).toMatchObject({ name: 'After', city: null, country: 'NO', tags: [], isPublicSite: false });
    expect(await read(id)).toEqual(reply.json());
    expect((await patch(id, {})).json()).toMatchObject({ name: 'After', groupType: 'CIRCUIT' });
  });

  it.each([
    ['a name that is null', { name: null }],
    ['an unknown field', { colour: 'red' }],
    ['its own id', { id: 7 }],
    ['several wrong ones', { name: '', latitude: 91, tags: 'x' }],
  ])('rejects %s', async (_what, body) => {
    const id = await make({});
    expect(codeOf(await patch(id, body))).toBe('400 invalid_request');
  });

  it('lists every invalid field in one response', async () => {
    const reply = await patch(await make({}), { name: ' ', latitude: 91, colour: 1, groupType: 'PLANET' });
    const paths = (reply.json()['errors'] as { path: string }[]).map(({ path }) => path).sort();
    expect(paths).toEqual(['/colour', '/groupType', '/latitude', '/name']);
    const homeless = await world.post('/sites', { name: 'x', parentSiteId: 999_999 });
    expect(homeless.json()['errors']).toMatchObject([{ path: '/parentSiteId' }]);
  });

  it.each(['abc', 0, 1.5, 1e300])('rejects a parent of %j as an invalid site', async (parentSiteId) => {
    const reply = await patch(await make({}), { parentSiteId });
    expect(codeOf(reply)).toBe('400 invalid_site_id');
    expect(reply.json()['errors']).toMatchObject([{ path: '/parentSiteId' }]);
  });

  it('checks the rules before a stale If-Match', async () => {
    const [a, full] = [await make({}), await make({})];
    const child = await make({ parentSiteId: a });
    await world.post('/chargers', { name: 'x', chargerId: 'STALE_1', siteId: full });
    const stale = { 'if-match': '"0"' };
    const remove = (id: number) => world.call('DELETE', `/sites/${String(id)}`, { headers: stale });
    expect(codeOf(await remove(full))).toBe('409 site_not_empty');
    expect(codeOf(await patch(a, { parentSiteId: child }, stale))).toBe('409 site_circle');
    expect(codeOf(await patch(a, { parentSiteId: 999_999 }, stale))).toBe('400 invalid_site_id');
    expect(codeOf(await patch(999_999, {}, stale))).toBe('404 not_found');
    expect(codeOf(await remove(child))).toBe('412 precondition_failed');
    const charger = (id: string) =>
      world.call('PATCH', `/chargers/${id}`, { body: { siteId: 999_999 }, headers: stale });
    expect(codeOf(await charger('STALE_1'))).toBe('400 invalid_site_id');
    expect(codeOf(await charger('STALE_NONE'))).toBe('404 not_found');
  });

  it('moves a site with all sites below, but not below itself', async () => {
    const [a, b] = [await make({ name: 'A' }), await make({ name: 'B' })];
    const child = await make({ name: 'Child', parentSiteId: a });
    expect(codeOf(await patch(a, { parentSiteId: a }))).toBe('409 site_circle');
    expect(codeOf(await patch(a, { parentSiteId: child }))).toBe('409 site_circle');
    expect((await patch(a, { parentSiteId: b, notes: 'moved' })).json()).toMatchObject({ sitePath: 'B / A' });
    expect(await read(child)).toMatchObject({ sitePath: 'B / A / Child' });
    expect((await patch(a, { parentSiteId: null })).json()).toMatchObject({ parentSiteId: null, notes: 'moved' });
    expect(codeOf(await patch(a, { parentSiteId: 999_999 }))).toBe('400 invalid_site_id');
    expect(codeOf(await patch(a, { parentSiteId: await make({}, theirs()) }))).toBe('400 invalid_site_id');
    expect((await patch(b, { parentSiteId: a })).status).toBe(200);
  });

  it('makes no circle in concurrent moves', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => make({})));
    const replies = await Promise.all(
      ids.map((id, i) => patch(id, { parentSiteId: ids[(i + 1) % ids.length] ?? null })),
    );
    expect(replies.map(codeOf).filter((code) => code === '409 site_circle')).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(ids.length - 1);
    const paths = await Promise.all(ids.map(async (id) => String((await read(id))['sitePath']).split(' / ').length));
    expect(paths.sort((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('has at most fifty levels', async () => {
    let parentSiteId = await make({});
    const first = parentSiteId;
    for (let level = 2; level <= 50; level += 1) parentSiteId = await make({ parentSiteId });
    expect(codeOf(await world.post('/sites', { name: 'x', parentSiteId }))).toBe('409 conflict');
    expect(codeOf(await patch(await make({}), { parentSiteId }))).toBe('409 conflict');
    expect(codeOf(await patch(first, { parentSiteId: await make({}) }))).toBe('409 conflict');
  });

  it('deletes a site only when it is empty', async () => {
    const parent = await make({});
    const child = await make({ parentSiteId: parent });
    await world.post('/chargers', { name: 'x', chargerId: 'INSIDE_1', siteId: child });
    const remove = (id: number, headers = {}) => world.call('DELETE', `/sites/${String(id)}`, { headers });
    expect(codeOf(await remove(parent))).toBe('409 site_not_empty');
    expect(codeOf(await remove(child))).toBe('409 site_not_empty');
    await world.call('DELETE', '/chargers/INSIDE_1');
    expect(codeOf(await remove(child, theirs()))).toBe('404 not_found');
    expect((await remove(child)).json()).toEqual({ id: child });
    expect(codeOf(await remove(child))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', `/sites/${String(child)}`))).toBe('404 not_found');
    expect(await read(parent)).toMatchObject({ numberOfSubsites: 0 });
    expect((await remove(parent)).status).toBe(200);
    expect(codeOf(await world.post('/sites', { name: 'x', parentSiteId: parent }))).toBe('400 invalid_site_id');
  });

  it('loses nothing that is added during deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const siteId = await make({});
      const [removed, put] = await Promise.all([
        world.call('DELETE', `/sites/${String(siteId)}`),
        round % 2 === 0
          ? world.post('/chargers', { name: 'x', chargerId: `RACE_${String(round)}`, siteId })
          : world.post('/sites', { name: 'x', parentSiteId: siteId }),
      ]);
      expect([200, 409]).toContain(removed.status);
      expect(put.status).toBe(removed.status === 200 ? 400 : 200);
    }
  });

  it('rejects a change with a stale If-Match', async () => {
    const id = await make({});
    const seen = String((await world.call('GET', `/sites/${String(id)}`)).headers.etag);
    const first = await patch(id, { name: 'First' }, { 'if-match': seen });
    expect(first.status).toBe(200);
    expect(first.headers.etag).not.toBe(seen);
    expect(codeOf(await patch(id, { name: 'Second' }, { 'if-match': seen }))).toBe('412 precondition_failed');
    expect(codeOf(await patch(id, { parentSiteId: await make({}) }, { 'if-match': seen }))).toBe(
      '412 precondition_failed',
    );
    const removal = { headers: { 'if-match': seen } };
    expect(codeOf(await world.call('DELETE', `/sites/${String(id)}`, removal))).toBe('412 precondition_failed');
    expect(await read(id)).toMatchObject({ name: 'First' });
    expect((await patch(id, { name: 'Third' })).status).toBe(200);
    const races = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const { etag } = (await world.call('GET', `/sites/${String(id)}`)).headers;
        return [name, etag] as const;
      }),
    );
    const statuses = await Promise.all(
      races.map(async ([name, etag]) => (await patch(id, { name }, { 'if-match': String(etag) })).status),
    );
    expect(statuses.sort()).toEqual([200, 412, 412, 412]);
  });

  it('keeps their version when a change has no effect', async () => {
    const id = await make({ name: 'Same', tags: ['a', 'b'], city: 'Oslo' });
    const path = `/sites/${String(id)}`;
    const before = await world.call('GET', path);
    const same = { name: 'Same', tags: ['a', 'b'], notes: null, isPublicSite: null, parentSiteId: null };
    for (const body of [{}, same]) {
      const reply = await patch(id, body, { 'if-match': String(before.headers.etag) });
      expect([reply.headers.etag, reply.json()]).toEqual([before.headers.etag, before.json()]);
      expect(codeOf(await patch(id, body, { 'if-match': '"0"' }))).toBe('412 precondition_failed');
    }
    expect((await world.call('GET', path)).headers.etag).toBe(before.headers.etag);
    expect((await patch(id, { ...same, tags: ['b', 'a'] })).headers.etag).not.toBe(before.headers.etag);
  });

  it('lists, filters, searches, sorts and pages them', async () => {
    const root = await make({ name: 'Zeta list', city: 'Bergen', country: 'NO-L', externalId: 'EXT-9' });
    const b = await make({ name: 'beta list', city: 'Oslo', country: 'NO-L', parentSiteId: root });
    const a = await make({ name: 'Alpha list', city: 'Oslo', country: 'NO-L', parentSiteId: root });
    expect(await idsOf('country=NO-L')).toEqual([root, b, a]);
    expect(await idsOf('country=NO-L&city=Oslo')).toEqual([b, a]);
    expect(await idsOf(`parentSiteId=${String(root)}`)).toEqual([b, a]);
    expect(await idsOf('country=NO-L&showOnlyRootSites=true')).toEqual([root]);
    expect(await idsOf(`parentSiteId=${String(root)}&showOnlyRootSites=true`)).toEqual([]);
    expect(await idsOf('country=NO-L&sortKey=name')).toEqual([a, b, root]);
    expect(await idsOf('country=NO-L&sortKey=city&sortDescending=true')).toEqual([a, b, root]);
    expect(await idsOf('search=BETA%20LI')).toEqual([b]);
    expect(await idsOf('search=ext-9')).toEqual([root]);
    const page = (await world.call('GET', '/sites?country=NO-L&limit=2&page=2')).json();
    expect(page).toMatchObject({ page: 2, limit: 2, totalRecords: 3, hasNextPage: false, hasPreviousPage: true });
    expect(page['items']).toMatchObject([{ id: a, parentName: 'Zeta list', sitePath: 'Zeta list / Alpha list' }]);
  });

  it('responds to sites of another client as to unknown ones', async () => {
    const id = await make({ name: 'Hidden', country: 'XX' });
    const foreign = await world.call('GET', '/sites?country=XX', { headers: theirs() });
    expect(foreign.json()).toMatchObject({ totalRecords: 0, items: [] });
    expect(codeOf(await world.call('GET', `/sites/${String(id)}`, { headers: theirs() }))).toBe('404 not_found');
    expect(codeOf(await patch(id, { name: 'x' }, theirs()))).toBe('404 not_found');
  });

  it.each(['limit=101', 'limit=0', 'page=0', 'sortKey=colour', 'parentSiteId=x', 'showOnlyRootSites=1', 'city='])(
    'refuses the query %s',
    async (query) => {
      expect((await world.call('GET', `/sites?${query}`)).status).toBe(400);
    },
  );
});
