import { createFakeClock } from '@busbar/testing';
import { newCharger } from '../testing/charger';
import { newSite } from '../testing/site';
import { storedChargers } from '../testing/stored-chargers';
import { storedSites } from '../testing/stored-sites';
import { deleteCharger, updateCharger, updateSocket, type ChargerEdit, type SocketChange } from './change-charger';
import type { Charger } from './charger';
import { CHARGER_DEFAULTS, DEFAULT_COMPATIBILITY } from './create-charger';

const NOW = '2026-02-01T00:00:00.000Z';
const OWNED = { clientId: 'client', chargerId: 'ACME_1' };
const STORED = newCharger({
  registered: {
    version: 3,
    evseId: 'DE*1',
    location: { city: 'Ulm', country: 'DE' },
    sockets: [{ id: 1, name: 'Left', type: 'Type2' }],
    compatibility: { ...DEFAULT_COMPATIBILITY, acceptHexKey: false, vendorFields: false },
  },
  reported: { sockets: { 1: {}, 2: {} } as unknown as Charger['reported']['sockets'] },
});
const FOREIGN = newSite({ siteId: 9, clientId: 'other' });
const UNKNOWN = { code: 'not_found', message: 'There is no charger ACME_1.' };
const OTHER_VERSION = {
  code: 'precondition_failed',
  message: 'The charger was changed in the meantime. Read it again, then change it.',
};
const CONTENDED = { code: 'conflict', message: 'Others keep changing the same charger. Try again.' };

function open(charger: Charger = STORED) {
  const sites = storedSites(newSite({ siteId: 1 }), newSite({ siteId: 2 }), FOREIGN);
  const chargers = storedChargers(charger);
  const registered = (): Charger['registered'] | undefined => chargers.all.get('ACME_1')?.registered;
  return { deps: { chargers, sites, clock: createFakeClock(new Date(NOW)) }, registered };
}

function noSite(siteId: number) {
  const details = { issues: [{ field: 'siteId', message: 'is no site of this client' }] };
  return { code: 'invalid_site_id', message: `There is no site (group) ${String(siteId)}.`, details };
}

describe('changing a charger', () => {
  it.each<[string, ChargerEdit, Partial<Charger['registered']>]>([
    ['changes the given fields only', { name: 'New' }, { name: 'New' }],
    ['clears a null field', { evseId: null }, { evseId: CHARGER_DEFAULTS.evseId }],
    [
      'changes one field of its location',
      { location: { city: 'Bonn' } },
      { location: { city: 'Bonn', country: 'DE' } },
    ],
    ['clears one field of its location', { location: { city: null } }, { location: { country: 'DE' } }],
    ['clears its location', { location: null }, { location: {} }],
    ['replaces its sockets', { sockets: [{ id: 4, name: null }] }, { sockets: [{ id: 4 }] }],
    ['clears its sockets', { sockets: null }, { sockets: [] }],
    [
      'changes one switch of its compatibility',
      { compatibility: { nullFields: false } },
      { compatibility: { ...STORED.registered.compatibility, nullFields: false } },
    ],
    [
      'gives one switch of its compatibility the default',
      { compatibility: { acceptHexKey: null } },
      { compatibility: { ...STORED.registered.compatibility, acceptHexKey: true } },
    ],
    ['gives its compatibility the default', { compatibility: null }, { compatibility: DEFAULT_COMPATIBILITY }],
    ['moves it to another site', { siteId: 2 }, { siteId: 2 }],
  ])('%s', async (_title, change, expected) => {
    const { deps, registered } = open();
    const after = await updateCharger(deps, OWNED, change);
    expect(after.registered).toEqual({ ...STORED.registered, ...expected, version: 4, updatedAt: NOW });
    expect(registered()).toBe(after.registered);
    // Only a move is an arrival at a site.
    expect(deps.sites.all.get(2)?.arrivals).toBe('siteId' in change ? 1 : undefined);
    expect(deps.sites.all.get(1)?.arrivals).toBeUndefined();
  });

  it.each<[string, ChargerEdit]>([
    ['does not write an empty change', {}],
    ['does not write a change without effect', { evseId: 'DE*1', location: { city: 'Ulm' }, siteId: 1 }],
  ])('%s', async (_title, change) => {
    const { deps } = open();
    expect(await updateCharger(deps, OWNED, change)).toBe(STORED);
  });

  it('writes the change for the version that its caller expects', async () => {
    const { deps } = open();
    const ifMatch = jest.fn(() => true);
    expect((await updateCharger(deps, { ...OWNED, ifMatch }, { name: 'New' })).registered.name).toBe('New');
    expect(ifMatch).toHaveBeenCalledWith('ACME_1-1-3');
  });

  it('repeats an attempt that was lost to another change', async () => {
    const { deps } = open();
    const updateRegistration = jest.fn(deps.chargers.updateRegistration).mockResolvedValueOnce(false);
    const chargers = { ...deps.chargers, updateRegistration };
    expect((await updateCharger({ ...deps, chargers }, OWNED, { name: 'New' })).registered.name).toBe('New');
    expect(updateRegistration).toHaveBeenCalledTimes(2);
  });
});

describe('a change of a charger that is refused', () => {
  const stale = { ...OWNED, ifMatch: () => false };
  const others = { ...OWNED, clientId: 'other' };
  const issues = [{ field: 'sockets/1/id', message: 'is the id of another socket too' }];

  it.each<[string, typeof OWNED, ChargerEdit, object]>([
    ["is one of another client's charger", others, { name: 'New' }, UNKNOWN],
    ["names another client's charger before an unknown site", others, { siteId: 8 }, UNKNOWN],
    ['is one of another version', stale, { name: 'New' }, OTHER_VERSION],
    ['is one of another version, though without effect', stale, {}, OTHER_VERSION],
    ['names an unknown site', OWNED, { siteId: 8 }, noSite(8)],
    ['names an unknown site before another version', stale, { siteId: 8 }, noSite(8)],
    ["names another client's site", OWNED, { siteId: 9 }, noSite(9)],
    [
      'gives two sockets one id',
      OWNED,
      { sockets: [{ id: 1 }, { id: 1 }] },
      { code: 'invalid_request', message: 'Two sockets have the same id.', details: { issues } },
    ],
  ])('%s', async (_title, owned, change, refusal) => {
    const { deps, registered } = open();
    await expect((async () => updateCharger(deps, owned, change))()).rejects.toMatchObject(refusal);
    expect(registered()).toBe(STORED.registered);
  });

  it('loses every attempt to others', async () => {
    const { deps } = open();
    const chargers = { ...deps.chargers, updateRegistration: () => Promise.resolve(false) };
    await expect(updateCharger({ ...deps, chargers }, OWNED, { name: 'New' })).rejects.toMatchObject(CONTENDED);
  });
});

describe('a charger whose new site is deleted during the move', () => {
  it.each<[string, readonly number[], (() => Charger) | undefined, number]>([
    ['returns to its previous site', [2], undefined, 1],
    ["goes to the client's oldest site where the previous one was deleted too", [1, 2], undefined, 3],
    ['stays where the client has no site left', [1, 2, 3], undefined, 2],
    [
      'stays where somebody else has moved it meanwhile',
      [2],
      () => newCharger({ registered: { siteId: 3, version: 9 } }),
      3,
    ],
  ])('%s', async (_title, gone, meanwhile, siteId) => {
    const { deps, registered } = open();
    deps.sites.all.set(3, newSite({ siteId: 3 }));
    const arrive: typeof deps.sites.arrive = (clientId, arrived) => {
      for (const each of gone) deps.sites.all.delete(each);
      if (meanwhile !== undefined) deps.chargers.all.set('ACME_1', meanwhile());
      return deps.sites.arrive(clientId, arrived);
    };
    const sites = { ...deps.sites, arrive };
    await expect(updateCharger({ ...deps, sites }, OWNED, { siteId: 2 })).rejects.toMatchObject(noSite(2));
    expect(registered()?.siteId).toBe(siteId);
  });

  it('tries the next site where that of its return is deleted too', async () => {
    const { deps, registered } = open();
    deps.sites.all.set(3, newSite({ siteId: 3 }));
    const arrive: typeof deps.sites.arrive = (clientId, arrived) => {
      if (arrived !== 3) deps.sites.all.delete(arrived);
      return deps.sites.arrive(clientId, arrived);
    };
    const sites = { ...deps.sites, arrive };
    await expect(updateCharger({ ...deps, sites }, OWNED, { siteId: 2 })).rejects.toMatchObject(noSite(2));
    expect(registered()?.siteId).toBe(3);
  });
});

describe('changing a socket', () => {
  it.each<[string, number, SocketChange, Charger['registered']['sockets']]>([
    ['changes the given fields only', 1, { name: 'New' }, [{ id: 1, name: 'New', type: 'Type2' }]],
    ['clears a null field', 1, { name: null }, [{ id: 1, type: 'Type2' }]],
    [
      'registers one that was only reported',
      2,
      { name: 'Right' },
      [
        { id: 1, name: 'Left', type: 'Type2' },
        { id: 2, name: 'Right' },
      ],
    ],
  ])('%s', async (_title, socketId, change, expected) => {
    const { deps } = open();
    const after = await updateSocket(deps, { ...OWNED, socketId }, change);
    expect(after.registered).toEqual({ ...STORED.registered, sockets: expected, version: 4, updatedAt: NOW });
  });

  it('keeps the sockets in the order of their ids', async () => {
    const { deps } = open(newCharger({ ...STORED, registered: { sockets: [{ id: 2 }, { id: 1 }] } }));
    const { registered } = await updateSocket(deps, { ...OWNED, socketId: 2 }, { name: 'Right' });
    expect(registered.sockets).toEqual([{ id: 1 }, { id: 2, name: 'Right' }]);
  });

  const full = Array.from({ length: 100 }, (_each, i) => ({ id: i + 3 }));
  it.each<[string, Charger, Parameters<typeof updateSocket>[1], object]>([
    [
      'refuses one that is neither registered nor reported',
      STORED,
      { ...OWNED, socketId: 3 },
      { code: 'not_found', message: 'Charger ACME_1 has no socket 3. PUT its sockets to add one.' },
    ],
    ['refuses one of another client', STORED, { ...OWNED, clientId: 'other', socketId: 1 }, UNKNOWN],
    ['refuses another version', STORED, { ...OWNED, socketId: 1, ifMatch: () => false }, OTHER_VERSION],
    [
      'refuses one more than a charger may have',
      newCharger({ ...STORED, registered: { sockets: full } }),
      { ...OWNED, socketId: 2 },
      { code: 'conflict', message: 'A charger has at most 100 registered sockets.' },
    ],
  ])('%s', async (_title, charger, owned, refusal) => {
    const { deps, registered } = open(charger);
    await expect(updateSocket(deps, owned, { name: 'New' })).rejects.toMatchObject(refusal);
    expect(registered()).toBe(charger.registered);
  });
});

describe('deleting a charger', () => {
  const abandoned = (): Promise<void> => Promise.resolve();
  const down = (): Promise<never> => Promise.reject(new Error('down'));

  function openDeletion(abandon = abandoned, close = abandoned) {
    const { deps } = open();
    const consequences = { abandon: jest.fn(abandon), close: jest.fn(close) };
    const sessions = { abandon: consequences.abandon, end: down, endAnnounced: down };
    return { ...consequences, deps: { chargers: deps.chargers, sessions, connections: { close: consequences.close } } };
  }

  it('70. removes it, abandons its sessions and closes its connection', async () => {
    const { deps, abandon, close } = openDeletion();
    expect(await deleteCharger(deps, OWNED)).toBe(STORED);
    expect(deps.chargers.all.size).toBe(0);
    expect(abandon).toHaveBeenCalledWith('ACME_1', 'ACME_1-1');
    expect(close).toHaveBeenCalledWith(STORED, 'deleted');
  });

  it.each([
    ['closes its connection though its sessions cannot be abandoned', down, abandoned],
    ['abandons its sessions though its connection cannot be closed', abandoned, down],
  ])('70. %s, and fails then', async (_title, first, second) => {
    const { deps, abandon, close } = openDeletion(first, second);
    await expect(deleteCharger(deps, OWNED)).rejects.toThrow('down');
    expect([deps.chargers.all.size, abandon.mock.calls.length, close.mock.calls.length]).toEqual([0, 1, 1]);
  });

  it.each([
    ["refuses another client's", { ...OWNED, clientId: 'other' }, UNKNOWN],
    ['refuses another version', { ...OWNED, ifMatch: () => false }, OTHER_VERSION],
  ])('%s', async (_title, owned, refusal) => {
    const { deps, abandon, close } = openDeletion();
    await expect(deleteCharger(deps, owned)).rejects.toMatchObject(refusal);
    expect([deps.chargers.all.size, abandon.mock.calls.length, close.mock.calls.length]).toEqual([1, 0, 0]);
  });

  it('repeats an attempt that was lost to another change', async () => {
    const { deps } = openDeletion();
    const remove = jest.fn(deps.chargers.remove).mockResolvedValueOnce(false);
    await deleteCharger({ ...deps, chargers: { ...deps.chargers, remove } }, OWNED);
    expect(deps.chargers.all.size).toBe(0);
  });
});
