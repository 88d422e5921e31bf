import { createFakeClock } from '@busbar/testing';
import { newCharger } from '../testing/charger';
import { newSite } from '../testing/site';
import { storedChargers } from '../testing/stored-chargers';
import { storedSites } from '../testing/stored-sites';
import type { Site } from '../sites/site';
import type { Charger } from './charger';
import { createCharger, type CreateChargerInput } from './create-charger';

const NOW = '2026-02-01T00:00:00.000Z';
const INPUT: CreateChargerInput = { chargerId: 'ACME_1', name: 'First' };
const FOREIGN = newSite({ siteId: 1, clientId: 'other' });
const SITES = [FOREIGN, newSite({ siteId: 5 }), newSite({ siteId: 3 })];

function open({ sites = SITES, chargers = [] }: { sites?: readonly Site[]; chargers?: readonly Charger[] } = {}) {
  const stored = storedChargers(...chargers);
  return { chargers: stored, sites: storedSites(...sites), clock: createFakeClock(new Date(NOW)) };
}

function noSite(siteId: number) {
  const details = { issues: [{ field: 'siteId', message: 'is no site of this client' }] };
  return { code: 'invalid_site_id', message: `There is no site (group) ${String(siteId)}.`, details };
}

describe('registering a charger', () => {
  type Registered = Partial<Charger['registered']>;
  it.each<[string, Partial<CreateChargerInput>, Registered, string]>([
    ["puts it at the client's oldest site where none is given", {}, { siteId: 3 }, ''],
    ['puts it at the oldest site for null', { siteId: null }, { siteId: 3 }, ''],
    ['puts it at the given site', { siteId: 5 }, { siteId: 5 }, ''],
    ['gives null fields their defaults', { evseId: null, capabilities: null, sockets: null, location: null }, {}, ''],
    [
      'stores the given fields',
      { evseId: 'DE*1', splitEvseBySocket: true },
      { evseId: 'DE*1', splitEvseBySocket: true },
      '',
    ],
    [
      'leaves null fields out of its location',
      { location: { city: 'Ulm', country: null } },
      { location: { city: 'Ulm' } },
      '',
    ],
    [
      'leaves null fields out of its sockets, and counts them as offline',
      { sockets: [{ id: 1, type: null }, { id: 2 }] },
      { sockets: [{ id: 1 }, { id: 2 }] },
      'Offline*2',
    ],
  ])('%s', async (_title, input, registered, tally) => {
    const deps = open();
    const created = await createCharger(deps, 'client', { ...INPUT, ...input });
    const at = { createdAt: NOW, updatedAt: NOW, version: 1 };
    const parts = { registered: { name: 'First', siteId: 3, ...at, ...registered }, reported: { tally } };
    const { incarnationId } = created;
    expect(created).toEqual({ ...newCharger({ incarnationId, ...parts }), updatedAt: NOW });
    expect([...deps.chargers.all.values()]).toEqual([created]);
    // A concurrent deletion of the site notices the arrival.
    expect(deps.sites.all.get(created.registered.siteId)?.arrivals).toBe(1);
  });

  it('gives each registration another incarnation', async () => {
    const made = [await createCharger(open(), 'client', INPUT), await createCharger(open(), 'client', INPUT)];
    expect(new Set(made.map(({ incarnationId }) => incarnationId)).size).toBe(2);
  });
});

describe('a charger that cannot be registered', () => {
  const taken = newCharger({ clientId: 'other' });

  it.each<[string, Partial<CreateChargerInput>, Parameters<typeof open>[0], object]>([
    [
      'has an id with another character',
      { chargerId: 'ACME 1' },
      {},
      { code: 'invalid_charger_id', message: expect.stringContaining('A-Z a-z 0-9 _') as unknown },
    ],
    [
      'has a reserved word for its id',
      { chargerId: 'state-time-series' },
      {},
      {
        code: 'invalid_charger_id',
        message: 'The chargerId "state-time-series" is reserved: a path of the service has this name.',
        details: { issues: [{ field: 'chargerId', message: 'is reserved' }] },
      },
    ],
    [
      'has sockets of one id, each of which is named',
      { sockets: [{ id: 1 }, { id: 2 }, { id: 1 }, { id: 1 }] },
      {},
      {
        code: 'invalid_request',
        message: 'Two sockets have the same id.',
        details: {
          issues: [
            { field: 'sockets/2/id', message: 'is the id of another socket too' },
            { field: 'sockets/3/id', message: 'is the id of another socket too' },
          ],
        },
      },
    ],
    [
      'belongs to a client without a site',
      {},
      { sites: [FOREIGN] },
      {
        code: 'site_required',
        message: expect.stringContaining('Create a site, then create the charger again.') as unknown,
      },
    ],
    ['names an unknown site', { siteId: 9 }, {}, noSite(9)],
    ["names another client's site", { siteId: 1 }, {}, noSite(1)],
    [
      'has the id of a charger of any client',
      {},
      { chargers: [taken] },
      {
        code: 'charger_id_taken',
        message: 'This chargerId is taken. It must be unique across the whole service.',
      },
    ],
  ])('%s', async (_title, input, stored, refusal) => {
    const deps = open(stored);
    await expect(createCharger(deps, 'client', { ...INPUT, ...input })).rejects.toMatchObject(refusal);
    expect([...deps.chargers.all.values()]).toEqual(stored?.chargers ?? []);
  });
});

describe('a charger whose site is deleted while it is registered', () => {
  /** `meanwhile` happens to the record when the site is found deleted. */
  function deleted(meanwhile: (made: Charger) => Charger | undefined) {
    const deps = open();
    const arrive = () => {
      const made = deps.chargers.all.get('ACME_1');
      const after = made === undefined ? undefined : meanwhile(made);
      if (after === undefined) deps.chargers.all.delete('ACME_1');
      else deps.chargers.all.set('ACME_1', after);
      return Promise.resolve(false);
    };
    return { ...deps, sites: { ...deps.sites, arrive } };
  }
  const moved = (made: Charger, siteId: number, version: number): Charger => ({
    ...made,
    registered: { ...made.registered, siteId, version },
  });

  it.each<[string, (made: Charger) => Charger | undefined, 'removed' | 'kept']>([
    ['is removed', (made) => made, 'removed'],
    ['is removed though it was changed meanwhile', (made) => moved(made, made.registered.siteId, 2), 'removed'],
    ['stays at the site to which it was moved meanwhile', (made) => moved(made, 5, 2), 'kept'],
    ['is not found when it was deleted meanwhile', () => undefined, 'removed'],
    [
      'leaves the charger of another client that has its id since',
      (made) => ({ ...made, clientId: 'other', incarnationId: 'next' }),
      'kept',
    ],
    [
      'leaves the charger that was registered anew with its id',
      (made) => ({ ...moved(made, 3, 1), incarnationId: 'next' }),
      'kept',
    ],
  ])('%s', async (_title, meanwhile, end) => {
    const deps = deleted(meanwhile);
    await expect(createCharger(deps, 'client', INPUT)).rejects.toMatchObject(noSite(3));
    expect(deps.chargers.all.has('ACME_1')).toBe(end === 'kept');
  });

  it('is a conflict where others change it at every attempt to remove it', async () => {
    const deps = deleted((made) => made);
    const chargers = { ...deps.chargers, remove: () => Promise.resolve(false) };
    await expect(createCharger({ ...deps, chargers }, 'client', INPUT)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Others keep changing the same charger. Try again.',
    });
  });
});
