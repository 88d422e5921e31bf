// Answers without pages, of a client with more chargers than one of them may have (ADR 19).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_CHARGERS } from '@busbar/domain';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

describe('more chargers than an answer without pages may have', () => {
  const TOLD = 'more than 5,000: 400 invalid_request, ask by groupId';
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  const addGroup = async () => Number((await world.post('/group/add', { name: 'Yard' })).json()['id']);

  it('are refused whole and served group by group, as the documents say', async () => {
    const { chargers } = world.platform.records;
    const [crowded, small] = [await addGroup(), await addGroup()];
    for (const [id, groupId] of [['ACME_1', crowded] as const, ['ACME_2', small] as const]) {
      await world.post(`/charger/add/${id}/${String(groupId)}`, { chargerName: id });
    }
    const model = await chargers.find('ACME_1');
    if (model === undefined) throw new Error('no ACME_1');
    const more = Array.from({ length: MOST_CHARGERS - 1 }, (_each, i) => `MORE_${String(i)}`);
    await Promise.all(
      more.map((chargerId) => chargers.insert(Object.assign({}, model, { _id: chargerId, chargerId }))),
    );

    for (const path of ['/charger', '/group']) {
      const reply = await world.call('GET', path);
      expect([path, codeOf(reply), reply.json()['message']]).toEqual([
        path,
        '400 invalid_request',
        expect.stringContaining('ask by groupId') as string,
      ]);
    }
    const inGroup = await world.call('GET', `/charger?groupId=${String(small)}`);
    expect(inGroup.json()).toMatchObject([{ chargerId: 'ACME_2' }]);
    expect((await world.call('GET', `/group/${String(small)}`)).json()).toMatchObject({
      chargers: [{ chargerId: 'ACME_2' }],
    });
    expect((await world.call('GET', '/group?excludeDetails=true')).status).toBe(200);

    const page = readFileSync(join(__dirname, '../../../../docs/migrating-from-legacy.md'), 'utf8');
    const { paths } = world.app.openApi as { paths: Record<string, { get: { description: string } }> };
    const texts = [page, paths['/api/charger']?.get.description, paths['/api/group']?.get.description];
    for (const text of texts) expect(text).toContain(TOLD);
  });
});
