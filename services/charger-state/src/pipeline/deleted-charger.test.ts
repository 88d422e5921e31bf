// The messages of a charger that is deleted while they are in flight (rule 70): their effect, and who never receives
// them.
import { channels, type CloseConnection } from '@busbar/contracts';
import { createCharger, type Charger } from '@busbar/domain/chargers';
import { createSite } from '@busbar/domain/sites';
import { systemClock } from '@busbar/core';
import { eventually } from '@busbar/testing';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';

describe('a charger that is deleted while it sends messages', () => {
  let world: ChargerStateWorld;
  let charger: Charger;
  let closings: CloseConnection[];

  beforeAll(async () => {
    // A session of a refused tag is not in progress.
    world = await openWorld({ openCharging: true });
    await world.platform.broker.respond(channels.closings, world.gatewayId, (request) => {
      closings.push(request);
      return Promise.resolve({ connectionId: request.connectionId, wasOpen: true });
    });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    closings = [];
    charger = await world.register();
  });

  async function remove(): Promise<void> {
    const { chargers } = world.platform.records;
    const now = await chargers.find(charger.chargerId);
    expect(now !== undefined && (await chargers.remove(now))).toBe(true);
  }

  async function reregister(): Promise<Charger> {
    const deps = { ...world.platform.records, clock: systemClock };
    await createSite(deps, 'another client', { name: 'Theirs' });
    return createCharger(deps, 'another client', { chargerId: charger.chargerId, name: 'Again' });
  }

  const start = () => ({ connectorId: 1, idTag: 'T', meterStart: 0, timestamp: new Date().toISOString() });

  it('70. is ignored from then on, and its next message closes its socket', async () => {
    const connection = await world.connect(charger);
    await remove();
    await connection.report('Heartbeat', {});
    await eventually(() => closings.length > 0);
    expect(closings[0]).toEqual({
      chargerId: charger.chargerId,
      connectionId: connection.connectionId,
      reason: 'deleted',
    });
    expect(await world.platform.records.chargers.find(charger.chargerId)).toBeUndefined();
  });

  it('70. leaves nothing to the next charger with its id', async () => {
    const connection = await world.connect(charger);
    await connection.report('Heartbeat', {});
    await remove();
    const next = await reregister();
    await connection.report('StatusNotification', {
      connectorId: 1,
      status: 'Charging',
      errorCode: 'NoError',
      timestamp: new Date().toISOString(),
    });
    await connection.report('MeterValues', { connectorId: 1, meterValue: [] });
    await expect(connection.ask('StartTransaction', start())).rejects.toThrow();
    await connection.send('connected');
    const now = await world.read(next);
    expect(now).toMatchObject({ clientId: 'another client', applied: [], connection: { active: false } });
    expect(now.reported).toMatchObject({ lastSeen: null, sockets: {} });
    expect(await world.sessions(next)).toEqual([]);
    expect(await world.log(next)).toEqual([]);
  });

  it('has no session that stays ongoing', async () => {
    const connection = await world.connect(charger);
    await connection.ask('StartTransaction', start());
    await remove();
    // As a row that was inserted while the record was being deleted.
    await expect(connection.ask('StartTransaction', { ...start(), connectorId: 2, idTag: 'Other' })).rejects.toThrow();
    await eventually(async () => {
      const states = (await world.sessions(charger)).map(({ state }) => state);
      return states.length === 2 && states.every((state) => state === 'superseded');
    });
  });
});
