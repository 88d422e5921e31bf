// The writes of sites and chargers that have the same effect in both APIs: a table of use cases, each as a v2 call and
// as the v1 call that means the same, on twins that are alike.
import { legacy, uniqueId, v2, type World } from '../harness/world';
import { byRole, type UseCase } from './parity';

/** Two sites side by side, one below the first, and a charger in the first. */
export interface Twin {
  readonly site: number;
  readonly other: number;
  readonly child: number;
  readonly empty: number;
  readonly charger: string;
  /** Nobody has it yet. */
  readonly fresh: string;
}

const UNKNOWN_SITE = 999_999_999;
const location = { city: 'Oslo', latitude: 59.9 };
const sockets = [{ id: 2, type: 'CCS2', maxPower: '50', name: 'Left' }, { id: 1 }];

export const REGISTRY_USE_CASES: readonly UseCase<Twin>[] = [
  {
    title: 'creating a site below another',
    v2: ['POST', () => '/sites', ({ site }) => ({ name: 'New', parentSiteId: site, groupType: 'CIRCUIT' })],
    legacy: ['POST', () => '/group/add', ({ site }) => ({ name: 'New', parentGroupId: site, groupType: 'CIRCUIT' })],
  },
  {
    title: 'creating a site below an unknown one',
    v2: ['POST', () => '/sites', () => ({ name: 'New', parentSiteId: UNKNOWN_SITE })],
    legacy: ['POST', () => '/group/add', () => ({ name: 'New', parentGroupId: UNKNOWN_SITE })],
    refused: '400 invalid_site_id',
  },
  {
    title: 'changing a site',
    v2: ['PATCH', ({ site }) => `/sites/${String(site)}`, () => ({ name: 'After', externalId: 'X' })],
    legacy: ['PUT', ({ site }) => `/group/${String(site)}`, () => ({ name: 'After', externalId: 'X' })],
  },
  {
    title: 'moving a site',
    v2: ['PATCH', ({ site }) => `/sites/${String(site)}`, ({ other }) => ({ parentSiteId: other })],
    legacy: ['PUT', ({ site }) => `/group/${String(site)}`, ({ other }) => ({ parentGroupId: other })],
  },
  {
    title: 'making a site a root',
    v2: ['PATCH', ({ child }) => `/sites/${String(child)}`, () => ({ parentSiteId: null })],
    legacy: ['PUT', ({ child }) => `/group/${String(child)}`, () => ({ parentGroupId: null })],
  },
  {
    title: 'moving a site below itself',
    v2: ['PATCH', ({ site }) => `/sites/${String(site)}`, ({ child }) => ({ parentSiteId: child })],
    legacy: ['PUT', ({ site }) => `/group/${String(site)}`, ({ child }) => ({ parentGroupId: child })],
    refused: '409 site_circle',
  },
  {
    title: 'giving a site a blank name',
    v2: ['PATCH', ({ site }) => `/sites/${String(site)}`, () => ({ name: ' ' })],
    legacy: ['PUT', ({ site }) => `/group/${String(site)}`, () => ({ name: ' ' })],
    refused: '400 invalid_request',
  },
  {
    title: 'deleting an empty site',
    v2: ['DELETE', ({ empty }) => `/sites/${String(empty)}`],
    legacy: ['DELETE', ({ empty }) => `/group/${String(empty)}`],
  },
  {
    title: 'deleting a site with something in it',
    v2: ['DELETE', ({ site }) => `/sites/${String(site)}`],
    legacy: ['DELETE', ({ site }) => `/group/${String(site)}`],
    refused: '409 site_not_empty',
  },
  {
    title: 'deleting an unknown site',
    v2: ['DELETE', () => `/sites/${String(UNKNOWN_SITE)}`],
    legacy: ['DELETE', () => `/group/${String(UNKNOWN_SITE)}`],
    refused: '404 not_found',
  },
  {
    title: 'creating a charger',
    v2: [
      'POST',
      () => '/chargers',
      ({ fresh, other }) => ({ chargerId: fresh, name: 'New', siteId: other, location, sockets, evseId: 'E' }),
    ],
    legacy: [
      'POST',
      ({ fresh, other }) => `/charger/add/${fresh}/${String(other)}`,
      () => ({ chargerName: 'New', locationInfo: location, sockets, evseId: 'E' }),
    ],
  },
  {
    title: 'creating a charger whose id is taken',
    v2: ['POST', () => '/chargers', ({ charger, site }) => ({ chargerId: charger, name: 'New', siteId: site })],
    legacy: ['POST', ({ charger, site }) => `/charger/add/${charger}/${String(site)}`, () => ({ chargerName: 'New' })],
    refused: '409 charger_id_taken',
  },
  {
    title: 'creating a charger at an unknown site',
    v2: ['POST', () => '/chargers', ({ fresh }) => ({ chargerId: fresh, name: 'New', siteId: UNKNOWN_SITE })],
    legacy: ['POST', ({ fresh }) => `/charger/add/${fresh}/${String(UNKNOWN_SITE)}`, () => ({ chargerName: 'New' })],
    refused: '400 invalid_site_id',
  },
  {
    title: 'creating a charger of a bad id',
    v2: ['POST', () => '/chargers', ({ site }) => ({ chargerId: 'a/b', name: 'New', siteId: site })],
    legacy: ['POST', ({ site }) => `/charger/add/a%2Fb/${String(site)}`, () => ({ chargerName: 'New' })],
    refused: '400 invalid_charger_id',
  },
  {
    title: 'changing a charger',
    v2: [
      'PATCH',
      ({ charger }) => `/chargers/${charger}`,
      () => ({ name: 'After', location, pushIntegrationEnabled: true, capabilities: ['a'] }),
    ],
    legacy: [
      'PUT',
      ({ charger }) => `/charger/${charger}`,
      () => ({ chargerName: 'After', locationInfo: location, pushIntegrationEnabled: true, capabilities: ['a'] }),
    ],
  },
  {
    title: "replacing a charger's sockets",
    v2: ['PUT', ({ charger }) => `/chargers/${charger}/sockets`, () => ({ sockets })],
    legacy: ['PUT', ({ charger }) => `/charger/${charger}`, () => ({ sockets })],
  },
  {
    title: 'giving two sockets one id',
    v2: ['PATCH', ({ charger }) => `/chargers/${charger}`, () => ({ sockets: [{ id: 1 }, { id: 1 }] })],
    legacy: ['PUT', ({ charger }) => `/charger/${charger}`, () => ({ sockets: [{ id: 1 }, { id: 1 }] })],
    refused: '400 invalid_request',
  },
  {
    title: 'moving a charger',
    v2: ['PATCH', ({ charger }) => `/chargers/${charger}`, ({ other }) => ({ siteId: other })],
    legacy: ['PUT', ({ charger }) => `/charger/${charger}`, ({ other }) => ({ groupId: other })],
  },
  {
    title: 'moving a charger to an unknown site',
    v2: ['PATCH', ({ charger }) => `/chargers/${charger}`, () => ({ siteId: UNKNOWN_SITE })],
    legacy: ['PUT', ({ charger }) => `/charger/${charger}`, () => ({ groupId: UNKNOWN_SITE })],
    refused: '400 invalid_site_id',
  },
  {
    title: 'deleting a charger',
    v2: ['DELETE', ({ charger }) => `/chargers/${charger}`],
    legacy: ['DELETE', ({ charger }) => `/charger/${charger}`],
  },
  {
    title: 'deleting an unknown charger',
    v2: ['DELETE', ({ fresh }) => `/chargers/${fresh}`],
    legacy: ['DELETE', ({ fresh }) => `/charger/${fresh}`],
    refused: '404 not_found',
  },
];

export async function makeTwin(world: World): Promise<Twin> {
  const site = await makeSite(world, { name: 'Site' });
  const twin = {
    site,
    other: await makeSite(world, { name: 'Other' }),
    child: await makeSite(world, { name: 'Child', parentSiteId: site }),
    empty: await makeSite(world, { name: 'Empty' }),
    charger: uniqueId('TWIN'),
    fresh: uniqueId('FRESH'),
  };
  const body = { chargerId: twin.charger, name: 'Charger', siteId: site, sockets: [{ id: 5 }] };
  expect((await v2(world, '/chargers', { method: 'POST', body })).status).toBe(200);
  return twin;
}

export async function makeSite(world: World, body: object): Promise<number> {
  const made = await v2(world, '/sites', { method: 'POST', body });
  expect(made.status).toBe(200);
  return (made.json as { id: number }).id;
}

/** All that can be read of a twin, in both APIs, ids and timestamps taken out. */
export async function shownOf(world: World, twin: Twin): Promise<unknown> {
  const sites = [twin.site, twin.other, twin.child, twin.empty];
  const chargers = [twin.charger, twin.fresh];
  const below = `/sites?parentSiteId=${String(twin.site)}`;
  const replies = await Promise.all([
    ...sites.map((id) => v2(world, `/sites/${String(id)}`)),
    ...sites.map((id) => legacy(world, `/group/${String(id)}`)),
    ...chargers.map((id) => v2(world, `/chargers/${id}`)),
    ...chargers.map((id) => legacy(world, `/charger/${id}`)),
    v2(world, below),
  ]);
  return replies.map(({ status, json }) => (status === 200 ? byRole(json, twin) : status));
}
