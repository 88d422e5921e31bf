import { DEVIATIONS } from '@busbar/ocpp';
import { openWorld, type ChargerStateWorld, type FakeConnection } from '../testing/open-world';

/**
 * The deviations that only the record shows, each with a message that has it. The gateway counts the other kinds, and
 * has a test of the same name.
 */
const KINDS: Readonly<Record<string, (connection: FakeConnection) => Promise<unknown>>> = {
  clock_off: (connection) => connection.report('StatusNotification', { ...STATUS, timestamp: '2001-01-01T00:00:00Z' }),
  surplus_connector: (connection) => connection.report('StatusNotification', { ...STATUS, connectorId: -1 }),
};
const STATUS = { connectorId: 1, status: 'Available', errorCode: 'NoError' };

let world: ChargerStateWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it.each(Object.entries(KINDS))('counts a deviation of the kind %s in the metrics, once', async (kind, commit) => {
  expect(Object.keys(DEVIATIONS)).toContain(kind);
  const charger = await world.register();
  await commit(await world.connect(charger));
  expect((await world.read(charger)).reported.deviations).toMatchObject({ [kind]: { count: 1 } });
  expect(await world.metric(`busbar_state_deviations_total{kind="${kind}"}`)).toBe(1);
});

it('counts a message that is delivered again once', async () => {
  const charger = await world.register();
  const connection = await world.connect(charger);
  const before = await world.metric('busbar_state_deviations_total{kind="surplus_connector"}');
  const report = await connection.report('StatusNotification', { ...STATUS, connectorId: -1 });
  await connection.publish(report);
  expect(await world.metric('busbar_state_deviations_total{kind="surplus_connector"}')).toBe(before + 1);
});

it('counts the deviations of the gateway once', async () => {
  const charger = await world.register();
  const connection = await world.connect(charger);
  await connection.report('StatusNotification', STATUS, { deviations: ['vendor_field'] });
  expect((await world.read(charger)).reported.deviations).toMatchObject({ vendor_field: { count: 1 } });
  expect(await world.metric('busbar_state_deviations_total{kind="vendor_field"}')).toBe(0);
});
