// Changes while a large tree is read: its chargers are read twice, by id and then with their place.
import type { Charger } from '../chargers/charger';
import type { ChargerLister } from '../chargers/charger-listing';
import type { LocatedCharger } from '../chargers/read-charger';
import { readSiteTree, type ReadSiteTreeDeps } from './read-site-tree';

const MANY = 1_700;
const OWNER = 'client';

function makeCharger(i: number): Charger {
  const registered = { siteId: 1 + (i % 2), sockets: [{ id: 1 }] };
  const reported = { sockets: {} };
  return { chargerId: `C${String(i).padStart(4, '0')}`, registered, reported, connection: {} } as unknown as Charger;
}

describe('a large tree of sites', () => {
  let stored: Map<string, Charger>;
  let deps: ReadSiteTreeDeps;
  const ids = (chargers: readonly Charger[]) => chargers.map(({ chargerId }) => chargerId);
  const at = (siteId: number) => [...stored.values()].filter(({ registered }) => registered.siteId === siteId);

  beforeEach(() => {
    stored = new Map(Array.from({ length: MANY }, (_each, i) => [makeCharger(i).chargerId, makeCharger(i)]));
    const sites = [1, 2].map((siteId) => ({ siteId, parentSiteId: siteId === 1 ? null : 1 }));
    const chargers: Pick<ChargerLister, 'scan' | 'findMany'> = {
      scan: (_clientId, { siteId, after, limit }) =>
        Promise.resolve(
          [...stored.values()]
            .filter((each) => each.chargerId > after && (siteId ?? each.registered.siteId) === each.registered.siteId)
            .slice(0, limit),
        ),
      findMany: (_clientId, wanted) => Promise.resolve(wanted.flatMap((id) => stored.get(id) ?? []).reverse()),
    };
    deps = {
      chargers,
      sites: {
        listAll: () => Promise.resolve(sites),
        find: (_clientId: string, siteId: number) => Promise.resolve(sites.find((each) => each.siteId === siteId)),
        findMany: () => Promise.resolve(sites),
        childIds: (_clientId: string, [parent]: readonly number[]) => Promise.resolve(parent === 1 ? [2] : []),
      },
    } as unknown as ReadSiteTreeDeps;
  });

  async function collect(chargers: AsyncIterable<LocatedCharger> | undefined): Promise<Charger[]> {
    const found: Charger[] = [];
    for await (const { charger } of chargers ?? []) found.push(charger);
    return found;
  }

  it.each([[undefined], [1]])('has each charger once, by id, at its site (site %p)', async (siteId) => {
    const [root] = await readSiteTree(deps, OWNER, { ...(siteId && { siteId }), withChargers: true });
    expect(ids(await collect(root?.chargers))).toEqual(ids(at(1)));
    expect(ids(await collect(root?.subsites[0]?.chargers))).toEqual(ids(at(2)));
  });

  it('leaves a charger at its site when it is moved meanwhile, and out when it is deleted', async () => {
    const [root] = await readSiteTree(deps, OWNER, { withChargers: true });
    const before = [at(1), at(2)].map(ids);
    const [moved, deleted] = ['C1698', 'C1696'];
    const charger = makeCharger(1698);
    stored.set(moved, { ...charger, registered: { ...charger.registered, siteId: 2 } });
    stored.delete(deleted);
    const own = await collect(root?.chargers);
    expect(ids(own)).toEqual(before[0]?.filter((id) => id !== deleted));
    expect(own.at(-1)).toEqual(charger);
    expect(ids(await collect(root?.subsites[0]?.chargers))).toEqual(before[1]);
  });

  it('has a charger once that is moved between the reading of two sites', async () => {
    const { scan } = deps.chargers;
    const first = makeCharger(0);
    jest.spyOn(deps.chargers, 'scan').mockImplementation(async (clientId, from) => {
      const some = await scan(clientId, from);
      if (from.siteId === 1) stored.set('C0000', { ...first, registered: { ...first.registered, siteId: 2 } });
      return some;
    });
    const [root] = await readSiteTree(deps, OWNER, { siteId: 1, withChargers: true });
    const all = [...(await collect(root?.chargers)), ...(await collect(root?.subsites[0]?.chargers))];
    expect(new Set(ids(all)).size).toBe(all.length);
    expect(all).toHaveLength(MANY);
  });
});
