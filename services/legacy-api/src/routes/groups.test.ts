import { systemClock } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { socketTally } from '@busbar/domain/chargers';
import { grantApiKey, type Permission } from '@busbar/domain/clients';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestClient, type TestApp } from '../testing/open-app';

describe('groups and chargers of the v1 (legacy) API', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  const addGroup = async (body: object = {}, as: TestClient = world.own) =>
    Number((await world.post('/group/add', { name: 'Yard', ...body }, as)).json()['id']);
  const addCharger = (chargerId: string, groupId: number, body: object = {}) =>
    world.post(`/charger/add/${chargerId}/${String(groupId)}`, { chargerName: chargerId, ...body });
  const put = (path: string, body: unknown, as: TestClient = world.own) => world.call('PUT', path, { body }, as);
  const list = async (path: string): Promise<Record<string, unknown>[]> =>
    (await world.call('GET', path)).json() as unknown as Record<string, unknown>[];

  /** As charger-state would have stored it. */
  async function connectWithSockets(chargerId: string): Promise<void> {
    const reports = createReportStore(world.platform.store);
    const [from] = await reports.loadChargers([chargerId]);
    if (from === undefined) throw new Error(`no ${chargerId}`);
    const status = { errorCode: '', info: '', vendorErrorCode: '', at: '2026-03-01T00:00:00.000Z' } as const;
    const sockets = {
      '1': { ...status, state: 'Charging', position: [1, 1] },
      '2': { ...status, state: 'Error', position: [1, 1] },
    } as const;
    const to = {
      ...from,
      connection: { ...from.connection, active: true },
      reported: { ...from.reported, sockets, tally: socketTally({ ...from, reported: { ...from.reported, sockets } }) },
      revision: from.revision + 1,
    };
    expect(await reports.write(noRows(), [{ from, to }])).toBe('written');
  }

  it('lists them as a tree with the chargers and counted sockets of each group', async () => {
    const root = await addGroup({ name: 'Root', groupType: 'SUB_CPO', externalId: 'X1' });
    const child = await addGroup({ name: 'Child', parentGroupId: root });
    await addCharger('TREE_1', root, { sockets: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] });
    await addCharger('TREE_2', child, { sockets: [{ id: 1 }] });
    await connectWithSockets('TREE_1');
    const roots = await list('/group');
    const node = roots.find(({ id }) => id === root);
    expect(node).toEqual({
      id: root,
      name: 'Root',
      groupType: 'SUB_CPO',
      externalId: 'X1',
      onlineSocket: 1,
      offlineSocket: 2,
      errorSocket: 1,
      chargers: [(await world.call('GET', '/charger/TREE_1')).json()],
      subgroups: [
        expect.objectContaining({ id: child, externalId: '', onlineSocket: 0, offlineSocket: 1, subgroups: [] }),
      ],
    });
    expect(roots.some(({ id }) => id === child)).toBe(false);
    expect((await world.call('GET', `/group/${String(root)}`)).json()).toEqual(node);
    const short = (await world.call('GET', `/group/${String(root)}?excludeDetails=true`)).json();
    const without = { chargers: [], onlineSocket: 1, offlineSocket: 2, errorSocket: 1 };
    expect(short).toEqual({
      ...node,
      ...without,
      subgroups: [expect.objectContaining({ id: child, onlineSocket: 0, offlineSocket: 1, chargers: [] })],
    });
    expect((await list('/group?excludeDetails=true')).find(({ id }) => id === root)).toEqual(short);
    expect((await world.call('GET', `/group/${String(child)}`)).json()).toMatchObject({
      id: child,
      chargers: [{ chargerId: 'TREE_2', groupName: 'Child' }],
    });
  });

  it('requires sites:read, and with chargers also chargers:read', async () => {
    const keyWith = async (...permissions: Permission[]): Promise<TestClient> => {
      const { apiKeys } = world.platform.records;
      const wanted = { name: 'limited', permissions, expiresAt: null };
      return { ...world.own, ...(await grantApiKey({ apiKeys, clock: systemClock }, world.own.key, wanted)) };
    };
    const [sites, chargers] = [await keyWith('sites:read'), await keyWith('chargers:read')];
    for (const path of ['/group', `/group/${String(await addGroup())}`]) {
      expect(codeOf(await world.call('GET', path, {}, chargers))).toBe('403 forbidden');
      expect(codeOf(await world.call('GET', path, {}, sites))).toBe('403 forbidden');
      expect((await world.call('GET', `${path}?excludeDetails=true`, {}, sites)).status).toBe(200);
    }
  });

  it('changes and moves groups: keeps absent fields, and makes a root with null', async () => {
    const root = await addGroup({ name: 'Root' });
    const child = await addGroup({ name: 'Child', externalId: 'E' });
    const path = `/group/${String(child)}`;
    expect((await put(path, { parentGroupId: root, colour: 'ignored' })).json()).toEqual({
      id: child,
      name: 'Child',
      groupType: 'SITE',
      externalId: 'E',
      parentGroupId: root,
    });
    expect(codeOf(await put(`/group/${String(root)}`, { parentGroupId: child }))).toBe('409 group_circle');
    expect((await put(path, { name: 'New', groupType: 'CIRCUIT', parentGroupId: null })).json()).toEqual({
      id: child,
      name: 'New',
      groupType: 'CIRCUIT',
      externalId: 'E',
    });
    expect(codeOf(await put(path, { parentGroupId: await addGroup({}, world.other) }))).toBe('400 invalid_group_id');
    expect(codeOf(await put(path, { name: '' }))).toBe('400 invalid_request');
    expect(codeOf(await put(path, { name: 'x' }, world.other))).toBe('404 not_found');
    expect(codeOf(await put('/group/abc', { name: 'x' }))).toBe('400 invalid_group_id');
  });

  it('treats a parentGroupId and externalId of null as absent', async () => {
    const groupId = await addGroup({ name: 'Bare', parentGroupId: null, externalId: null });
    expect((await put(`/group/${String(groupId)}`, {})).json()).toEqual({
      id: groupId,
      name: 'Bare',
      groupType: 'SITE',
      externalId: '',
    });
  });

  it.each([null, ''])('has no externalId after %j, in both APIs', async (externalId) => {
    const groupId = await addGroup({ externalId: 'E' });
    expect((await put(`/group/${String(groupId)}`, { externalId })).json()).toMatchObject({ externalId: '' });
    const unnamed = await addGroup({ externalId: '' });
    for (const siteId of [groupId, unnamed]) {
      const stored = await world.platform.records.sites.find(world.own.client.clientId, siteId);
      expect(stored?.externalId).toBeNull();
    }
  });

  it('deletes a group only when it is empty', async () => {
    const groupId = await addGroup();
    await addCharger('IN_1', groupId);
    const path = `/group/${String(groupId)}`;
    expect(codeOf(await world.call('DELETE', path))).toBe('409 site_not_empty');
    expect((await world.call('DELETE', '/charger/IN_1')).json()).toEqual({ chargerId: 'IN_1' });
    expect(codeOf(await world.call('GET', '/charger/IN_1'))).toBe('404 not_found');
    expect(codeOf(await world.call('DELETE', path, {}, world.other))).toBe('404 not_found');
    expect((await world.call('DELETE', path)).json()).toEqual({ id: groupId });
    expect(codeOf(await world.call('GET', path))).toBe('404 not_found');
  });

  it('lists the chargers of all groups or of one', async () => {
    const groupId = await addGroup();
    await addCharger('MANY_2', groupId);
    await addCharger('MANY_1', groupId);
    const ids = (await list(`/charger?groupId=${String(groupId)}`)).map(({ chargerId }) => chargerId);
    expect(ids).toEqual(['MANY_1', 'MANY_2']);
    const all = (await list('/charger')).map(({ chargerId }) => chargerId);
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(await list('/charger?groupId=999999')).toEqual([]);
    expect(codeOf(await world.call('GET', '/charger?groupId=x'))).toBe('400 invalid_group_id');
    expect((await world.call('GET', '/charger', {}, world.other)).json()).toEqual([]);
  });

  it('changes chargers: keeps absent fields', async () => {
    const [from, to] = [await addGroup({ name: 'From' }), await addGroup({ name: 'To' })];
    await addCharger('CHANGE_1', from, { locationInfo: { city: 'Oslo' }, evseId: 'E', sockets: [{ id: 1 }] });
    const changed = await put('/charger/CHANGE_1', { locationInfo: { country: 'NO' }, colour: 'ignored' });
    expect(changed.json()).toMatchObject({
      chargerName: 'CHANGE_1',
      locationInfo: { city: 'Oslo', country: 'NO' },
      amountOfSockets: 1,
      groupId: from,
    });
    const moved = await put('/charger/CHANGE_1', {
      chargerName: 'New',
      groupId: to,
      sockets: [{ id: 2, type: 'CCS2' }],
    });
    expect(moved.json()).toMatchObject({ chargerName: 'New', groupId: to, groupName: 'To', sockets: [{ id: 2 }] });
    expect((await world.call('GET', '/charger/CHANGE_1')).json()).toEqual(moved.json());
    for (const groupId of ['x', 1.5, 999_999, await addGroup({}, world.other)]) {
      expect(codeOf(await put('/charger/CHANGE_1', { groupId }))).toBe('400 invalid_group_id');
    }
    expect(codeOf(await put('/charger/CHANGE_1', { chargerName: 'x' }, world.other))).toBe('404 not_found');
    expect(codeOf(await put('/charger/CHANGE_1', { chargerName: ' ' }))).toBe('400 invalid_request');
    expect(codeOf(await put('/charger/a%20b', { chargerName: 'x' }))).toBe('400 invalid_charger_id');
  });
});
