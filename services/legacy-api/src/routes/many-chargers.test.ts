// Responses without pages, for a client with more chargers than one response may hold in memory (ADR 20).
import { openApp, type TestApp } from '../testing/open-app';

const MANY = 2_600;

interface Shown {
  readonly chargerId: string;
  readonly groupId: number;
  readonly groupName: string;
}

interface Node {
  readonly id: number;
  readonly name: string;
  readonly offlineSocket: number;
  readonly chargers: readonly Shown[];
  readonly subgroups: readonly Node[];
}

describe('more chargers than one response may hold in memory', () => {
  let world: TestApp;
  const groups: number[] = [];
  const ids = Array.from({ length: MANY }, (_each, i) => `MANY_${String(i).padStart(4, '0')}`);
  const groupOf = (chargerId: string) => groups[Number(chargerId.slice(5)) % groups.length];

  beforeAll(async () => {
    world = await openApp();
    const { chargers } = world.platform.records;
    const add = async (body: object) => Number((await world.post('/group/add', body)).json()['id']);
    groups.push(await add({ name: 'Yard 0' }));
    for (const name of ['Yard 1', 'Yard 2']) groups.push(await add({ name, parentGroupId: groups[0] }));
    await world.post(`/charger/add/MODEL/${String(groups[0])}`, { chargerName: 'Model', sockets: [{ id: 1 }] });
    const model = await chargers.find('MODEL');
    if (model === undefined) throw new Error('no MODEL');
    const own = (chargerId: string) => {
      const registered = { ...model.registered, siteId: groupOf(chargerId) };
      return Object.assign({}, model, { _id: chargerId, chargerId, registered });
    };
    await Promise.all(ids.map((chargerId) => chargers.insert(own(chargerId))));
    await world.call('DELETE', '/charger/MODEL');
  });
  afterAll(() => world.close());

  const list = async <T>(path: string) => (await world.call('GET', path)).json() as unknown as readonly T[];
  const asGrouped = ({ chargerId, groupId, groupName }: Shown) => [chargerId, groupId, groupName];
  const expected = (chargerId: string) => {
    const groupId = groupOf(chargerId);
    return [chargerId, groupId, `Yard ${String(groups.indexOf(groupId ?? 0))}`];
  };

  it('lists all by id, each as in its own response', async () => {
    const all = await list<Shown>('/charger');
    expect(all.map(asGrouped)).toEqual(ids.map(expected));
    const last = await world.call('GET', `/charger/${String(ids.at(-1))}`);
    expect(all.at(-1)).toEqual(last.json());
  });

  it('lists them by group', async () => {
    const some = await list<Shown>(`/charger?groupId=${String(groups[1])}`);
    const wanted = ids.filter((chargerId) => groupOf(chargerId) === groups[1]);
    expect(some.map(({ chargerId }) => chargerId)).toEqual(wanted);
  });

  it('has them in the tree and in subtrees, each once in its group', async () => {
    const roots = await list<Node>('/group');
    const part = (await world.call('GET', `/group/${String(groups[0])}`)).json() as unknown as Node;
    expect(roots).toEqual([part]);
    const nodes = [part, ...part.subgroups];
    expect(nodes.map(({ name, offlineSocket }) => [name, offlineSocket])).toEqual([
      ['Yard 0', 867],
      ['Yard 1', 867],
      ['Yard 2', 866],
    ]);
    for (const { id, chargers } of nodes) {
      expect(chargers.map(asGrouped)).toEqual(ids.filter((chargerId) => groupOf(chargerId) === id).map(expected));
    }
  });
});
