// Rows name the site of their charger, also where they were folded from an outdated record.
import { systemClock } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { createSite } from '@busbar/domain/sites';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));
beforeEach(async () => {
  // From here on charger-state has the record in its cache.
  await connection.report('Heartbeat', {});
});

/** As an API does, beside charger-state. Returns the new site. */
async function move(): Promise<number> {
  const { records } = world.platform;
  const { siteId } = await createSite({ sites: records.sites, clock: systemClock }, world.clientId, { name: 'New' });
  const now = new Date().toISOString();
  expect(await records.chargers.updateRegistration(await world.read(charger), { siteId }, now)).toBe(true);
  return siteId;
}

const at = new Date(Date.now() - 1000).toISOString();
const start = (idTag: string, timestamp = at) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag, meterStart: 1, timestamp });
const status = (word: string, timestamp?: string) =>
  connection.report('StatusNotification', {
    connectorId: 1,
    status: word,
    errorCode: 'NoError',
    ...(timestamp === undefined ? {} : { timestamp }),
  });
const sitesOfSessions = async () => (await world.sessions(charger)).map(({ siteId }) => siteId);
/** Oldest first. */
const sitesOfStates = async () => {
  const page = { page: 1, limit: 100, sortKey: 'at', sortDescending: false } as const;
  const filter = { chargerIds: [charger.chargerId], from: '2000-01-01', to: '2999-01-01' };
  const { items } = await world.platform.records.history.statePage(world.clientId, filter, page);
  return items.map(({ siteId }) => siteId);
};

it('starts a session at the new site right after a move', async () => {
  const siteId = await move();
  await start('Tag');
  expect(await sitesOfSessions()).toEqual([siteId]);
});

it('stores a state at the new site right after a move, and leaves earlier states at the old one', async () => {
  await status('Available', at);
  const siteId = await move();
  await status('Preparing');
  await status('Charging');
  expect(await sitesOfStates()).toEqual([charger.registered.siteId, siteId, siteId]);
});

it('leaves rows at their site when a message is delivered again after a move', async () => {
  const sent = await status('Available', at);
  await start('Tag');
  await move();
  await connection.publish(sent);
  await start('Tag');
  expect(await sitesOfStates()).toEqual([charger.registered.siteId]);
  expect(await sitesOfSessions()).toEqual([charger.registered.siteId]);
});
