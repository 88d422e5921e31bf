// Tests the trees and lists: the tree and list of v1, v2's filters, tags and keys, one socket's change.
import { eventually } from '@busbar/testing';
import { http, type HttpReply } from '../harness/http';
import { inBothWorlds } from '../harness/in-both-worlds';
import { expectPaged, type List } from '../harness/pages';
import { legacy, readV2, registerCharger, uniqueId, v2 } from '../harness/world';

interface Node {
  readonly id: number;
  readonly chargers: readonly { readonly chargerId: string }[];
  readonly subgroups: readonly Node[];
}

const itemsOf = ({ json }: HttpReply): readonly Record<string, unknown>[] =>
  (json as { items: readonly Record<string, unknown>[] }).items;

inBothWorlds((world) => {
  const makeSite = async (body: object): Promise<number> => {
    const made = await v2(world(), '/sites', { method: 'POST', body: { name: 'Site', ...body } });
    return (made.json as { id: number }).id;
  };

  it('returns each site once in the whole tree of the v1 API, below its parent, with its chargers', async () => {
    const { chargerId, siteId } = await registerCharger(world());
    const child = await makeSite({ parentSiteId: siteId });
    const tree = (await legacy(world(), '/group')).json as readonly Node[];
    const root = tree.filter(({ id }) => id === siteId);
    expect(root).toMatchObject([{ chargers: [{ chargerId }], subgroups: [{ id: child, chargers: [] }] }]);
    expect(tree.map(({ id }) => id)).not.toContain(child);
    const bare = (await legacy(world(), '/group?excludeDetails=true')).json as readonly Node[];
    expect(bare.find(({ id }) => id === siteId)?.chargers).toEqual([]);
  });

  it('returns all chargers in the v1 list, or those of one group', async () => {
    const [one, other] = [await registerCharger(world()), await registerCharger(world())];
    const list = async (query: string) =>
      ((await legacy(world(), `/charger${query}`)).json as { chargerId: string }[]).map(({ chargerId }) => chargerId);
    expect(await list('')).toEqual(expect.arrayContaining([one.chargerId, other.chargerId]));
    expect(await list(`?groupId=${String(one.siteId)}`)).toEqual([one.chargerId]);
  });

  it('filters the list of sites by place and by parent, and pages it', async () => {
    const city = uniqueId('City');
    const root = await makeSite({ city, country: 'NO', name: 'B' });
    const child = await makeSite({ city, country: 'SE', name: 'A', parentSiteId: root });
    const idsOf = async (query: string) =>
      itemsOf(await v2(world(), `/sites?city=${city}${query}`)).map(({ id }) => id);
    expect(await idsOf('&sortKey=name')).toEqual([child, root]);
    expect(await idsOf('&country=SE')).toEqual([child]);
    expect(await idsOf(`&parentSiteId=${String(root)}`)).toEqual([child]);
    expect(await idsOf('&showOnlyRootSites=true')).toEqual([root]);
    const second = await v2(world(), `/sites?city=${city}&sortKey=name&limit=1&page=2`);
    expect(second.json).toMatchObject({
      totalRecords: 2,
      hasNextPage: false,
      hasPreviousPage: true,
      items: [{ id: root }],
    });
  });

  it('searches the list of sites by a part of name or id, without case', async () => {
    const mark = uniqueId('Mark');
    const ids = [
      await makeSite({ name: `North ${mark} yard` }),
      await makeSite({ publicName: `${mark} garage` }),
      await makeSite({ city: `New ${mark}` }),
      await makeSite({ externalId: `X-${mark}` }),
    ];
    await makeSite({ name: 'Another', streetAddress: mark, notes: mark });
    const find = async (query: string) => (await v2(world(), `/sites?${query}`)).json as { items: { id: number }[] };
    const all = await find(`search=${mark.toUpperCase()}&sortKey=id`);
    expect(all).toMatchObject({ totalRecords: 4, items: ids.map((id) => ({ id })) });
    const page = await find(`search=${mark}&sortKey=id&sortDescending=true&limit=3`);
    expect(page).toMatchObject({ totalRecords: 4, hasNextPage: true, hasPreviousPage: false });
    expect(page.items.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
    expect(await find(`search=${mark}%20garage`)).toMatchObject({ totalRecords: 1, items: [{ id: ids[1] }] });
    expect(await find(`search=${mark}%25`)).toMatchObject({ totalRecords: 0, items: [] });
  });

  it.each<[string, (mark: string, n: string) => object, (mark: string) => List]>([
    ['/sites', (mark, n) => ({ name: `${n} ${mark}` }), (mark) => ({ path: `/sites?search=${mark}`, sortKey: 'name' })],
    [
      '/chargers',
      (mark, n) => ({ chargerId: `${mark}_${n}`, name: mark }),
      (mark) => ({ path: `/chargers?search=${mark}`, sortKey: 'chargerId' }),
    ],
    ['/tags', (mark, n) => ({ idTag: `${mark}${n}` }), (mark) => ({ path: `/tags?search=${mark}`, sortKey: 'idTag' })],
    [
      '/api-keys',
      (mark, n) => ({ name: `${mark} ${n}`, permissions: ['tags:read'] }),
      (mark) => ({ path: `/api-keys?search=${mark}`, sortKey: 'name' }),
    ],
  ])('%s are listed page by page, both ways', async (path, body, listOf) => {
    const mark = uniqueId('P').slice(0, 12);
    await makeSite({});
    for (const n of ['B', 'D', 'A', 'C', 'E']) {
      expect((await v2(world(), path, { method: 'POST', body: body(mark, n) })).status).toBe(200);
    }
    const { sortKey, ...list } = listOf(mark);
    const items = await expectPaged(world(), { ...list, sortKey });
    const names = items.map((item) => String(item[sortKey]));
    expect(names).toHaveLength(5);
    expect(names).toEqual([...names].sort());
  });

  it.each(['v2', 'api'] as const)(
    'serves the pages and the document of %s without a key and another host',
    async (of) => {
      const base = world().addresses()[of];
      const page = await http(`${base}/docs`);
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
      const files = named.filter((url) => !url.startsWith('data:'));
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) {
        expect(file).toMatch(new RegExp(`^/${of}/docs/`));
        expect((await http(new URL(file, base).href)).status).toBe(200);
      }
      const document = await http(`${base}/${of === 'v2' ? 'openapi' : 'swagger'}.json`);
      expect(document.status).toBe(200);
      expect((document.json as { openapi: string }).openapi).toMatch(of === 'v2' ? /^3\.1\./ : /^3\./);
    },
  );

  it('changes one registered socket, and keeps its other fields', async () => {
    const { chargerId } = await registerCharger(world());
    const sockets = [{ id: 1, type: 'CCS2', name: 'Left' }, { id: 2 }];
    await v2(world(), `/chargers/${chargerId}/sockets`, { method: 'PUT', body: { sockets } });
    const body = { name: null, maxPower: '50' };
    const changed = await v2(world(), `/chargers/${chargerId}/sockets/1`, { method: 'PATCH', body });
    expect(changed.status).toBe(200);
    const { sockets: read } = await readV2(world(), chargerId);
    expect(read).toMatchObject([{ id: 1, type: 'CCS2', maxPower: '50' }, { id: 2 }]);
    expect(changed.json).toMatchObject({ sockets: read });
    const none = await v2(world(), `/chargers/${chargerId}/sockets/9`, { method: 'PATCH', body });
    expect(none).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('creates and lists a key, accepts it in both APIs, and revokes it for both', async () => {
    const name = uniqueId('key');
    const made = await v2(world(), '/api-keys', { method: 'POST', body: { name, permissions: ['sites:read'] } });
    const { id, key } = made.json as { id: string; key: string };
    const listed = await v2(world(), `/api-keys?search=${name}`);
    expect(itemsOf(listed)).toMatchObject([{ id, name, permissions: ['sites:read'] }]);
    expect(listed.text).not.toContain(key);
    const limited = { ...world(), apiKey: key };
    const statuses = async () => [(await v2(limited, '/sites')).status, (await legacy(limited, '/group')).status];
    expect(await statuses()).toEqual([200, 403]);
    expect((await v2(world(), `/api-keys/${id}`, { method: 'DELETE' })).json).toEqual({ id });
    await eventually(async () => (await statuses()).every((status) => status === 401));
  });

  it('searches, sorts and pages the list of tags', async () => {
    const prefix = uniqueId('T').slice(0, 12);
    for (const end of ['B', 'A']) {
      await v2(world(), '/tags', { method: 'POST', body: { idTag: `${prefix}${end}`, tokenName: prefix } });
    }
    const page = await v2(world(), `/tags?search=${prefix}&sortKey=idTag&limit=1`);
    expect(page.json).toMatchObject({ totalRecords: 2, hasNextPage: true, items: [{ idTag: `${prefix}A` }] });
  });
});
