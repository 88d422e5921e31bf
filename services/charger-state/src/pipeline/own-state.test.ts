// The charger's own state as it is stored, for lists that filter by it.
import { chargerState, ownStateOf, type Charger } from '@busbar/domain/chargers';
import { and, eq, allCollections } from '@busbar/store';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const status = (connectorId: number, word: string) =>
  connection.report('StatusNotification', { connectorId, status: word, errorCode: 'NoError' });
const collection = () => {
  const definition = allCollections.find(({ name }) => name === 'chargers');
  if (definition === undefined) throw new Error('there is no collection of chargers');
  return world.platform.store.collection(definition);
};

it('is Booting before the first status, and stays so after other messages', async () => {
  expect((await world.read(charger)).reported.ownState).toBe('Booting');
  await connection.report('Heartbeat', {});
  expect((await world.read(charger)).reported.ownState).toBe('Booting');
});

it.each([
  [[[1, 'Available']], 'Available'],
  [
    [
      [1, 'Available'],
      [2, 'Charging'],
    ],
    'Charging',
  ],
  [
    [
      [1, 'Charging'],
      [0, 'Unavailable'],
    ],
    'Unavailable',
  ],
  [
    [
      [0, 'Faulted'],
      [1, 'Charging'],
      [0, 'Available'],
    ],
    'Charging',
  ],
] as const)('follows every status: %j is %s', async (reports, state) => {
  for (const [connectorId, word] of reports) await status(connectorId, word);
  const now = await world.read(charger);
  expect(now.reported.ownState).toBe(state);
  expect(ownStateOf(now.reported)).toBe(state);
});

it('stays while the charger is Offline, and is found when it reconnects', async () => {
  await status(1, 'Charging');
  await connection.send('disconnected');
  const offline = await world.read(charger);
  expect([chargerState(offline), offline.reported.ownState]).toEqual(['Offline', 'Charging']);
  await world.connect(charger);
  const charging = and(eq('connection.active', true), eq('reported.ownState', 'Charging'));
  expect((await collection().find(charging)).map(({ _id }) => _id)).toContain(charger.chargerId);
});
