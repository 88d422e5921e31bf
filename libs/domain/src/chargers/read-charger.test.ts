import { newCharger } from '../testing/charger';
import { newSite } from '../testing/site';
import { storedChargers } from '../testing/stored-chargers';
import { storedSites } from '../testing/stored-sites';
import { readCharger } from './read-charger';

const CHARGER = newCharger({ registered: { siteId: 2 } });

describe('reading a charger', () => {
  it.each<[string, { siteId: number; clientId?: string }, string]>([
    ['the name of its site', { siteId: 2 }, 'Site 2'],
    ['no name of a deleted site', { siteId: 3 }, ''],
    ["no name of another client's site", { siteId: 2, clientId: 'other' }, ''],
  ])('returns it with %s', async (_title, site, siteName) => {
    const deps = { chargers: storedChargers(CHARGER), sites: storedSites(newSite(site)) };
    expect(await readCharger(deps, 'client', 'ACME_1')).toEqual({ charger: CHARGER, siteName });
  });

  it.each([
    ['an unknown charger', 'client', 'ACME_2'],
    ["another client's charger", 'other', 'ACME_1'],
  ])('does not find %s', async (_title, clientId, chargerId) => {
    const deps = { chargers: storedChargers(CHARGER), sites: storedSites() };
    const error = { code: 'not_found', message: `There is no charger ${chargerId}.` };
    await expect(readCharger(deps, clientId, chargerId)).rejects.toMatchObject(error);
  });
});
