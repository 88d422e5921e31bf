import { newCharger } from '../../testing/charger';
import { storedChargers } from '../../testing/stored-chargers';
import { listConnections } from './list-connections';

const PAGE = { page: 1, limit: 10, sortKey: 'connectedAt', sortDescending: true } as const;
const FILTER = { from: '2026-01-01T00:00:00.000Z' };
const FOUND = { items: [], total: 0 };

function open() {
  const list = jest.fn(() => Promise.resolve(FOUND));
  const chargers = storedChargers(newCharger({ incarnationId: 'second' }));
  return { list, deps: { chargers, connectionHistory: { list } } };
}

describe("a charger's connections", () => {
  it('are those of its present incarnation', async () => {
    const { deps, list } = open();
    const owner = { clientId: 'client', chargerId: 'ACME_1' };
    expect(await listConnections(deps, owner, FILTER, PAGE)).toBe(FOUND);
    expect(list.mock.calls).toEqual([['second', FILTER, PAGE]]);
  });

  it.each([
    ['an unknown charger', { clientId: 'client', chargerId: 'ACME_2' }],
    ["another client's charger", { clientId: 'other', chargerId: 'ACME_1' }],
  ])('are not read for %s', async (_title, owner) => {
    const { deps, list } = open();
    await expect(listConnections(deps, owner, FILTER, PAGE)).rejects.toMatchObject({ code: 'not_found' });
    expect(list).not.toHaveBeenCalled();
  });
});
