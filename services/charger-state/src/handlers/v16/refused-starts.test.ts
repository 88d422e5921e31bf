// Only here: what a start with a refused tag (rules 53 and 61) adds to the statistics and the ongoing sessions of its
// client, as the store counts them.
import { systemClock } from '@busbar/core';
import { ongoingTransactions, type Charger } from '@busbar/domain/chargers';
import { endSession } from '@busbar/domain/sessions';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;
/** The statistics after the tests before. */
let counted: Counts;

eachWithCharger((its) => ({ world, charger, connection } = its));
beforeEach(async () => {
  counted = { inProgress: 0, today: 0, energyWh: 0 };
  counted = await added();
});

interface Counts {
  readonly inProgress: number;
  readonly today: number;
  readonly energyWh: number;
}

type Fields = Readonly<Record<string, unknown>>;
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const start = () =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Nobody', meterStart: 5, timestamp: at(1) });
const stop = (transactionId: unknown, over: Fields = {}) =>
  connection.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: at(0), ...over });
const meter = (transactionId: unknown) =>
  connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
/** Returns the statistics that the test has added. */
async function added(): Promise<Counts> {
  const now = await world.platform.records.statistics.read(world.clientId, new Date());
  return {
    inProgress: now.sessionsInProgress - counted.inProgress,
    today: now.sessionsToday - counted.today,
    energyWh: now.energyTodayWh - counted.energyWh,
  };
}
const listed = async () => ongoingTransactions(await world.read(charger)).map(({ transactionId }) => transactionId);
const NONE: Counts = { inProgress: 0, today: 0, energyWh: 0 };

it('53. leaves a refused start out of ongoing sessions and statistics, also after its stop', async () => {
  const { transactionId } = await start();
  const refused = { transactionId, state: 'refused', verdict: 'unknown', authorizedBy: 'own' };
  expect(await world.sessions(charger)).toMatchObject([{ ...refused, endTime: null }]);
  expect([await listed(), await added()]).toEqual([[], NONE]);
  await stop(transactionId, { meterStop: 8, reason: 'DeAuthorized' });
  // Late stops and values change nothing.
  await stop(transactionId, { meterStop: 9_000 });
  await meter(transactionId);
  expect(await world.sessions(charger)).toMatchObject([{ ...refused, meterStop: 8 }]);
  expect([(await world.read(charger)).reported.ongoing, await added()]).toEqual([{}, NONE]);
});

it('61. makes a refused start ongoing, and counts it, when its charger sends values of it', async () => {
  const { transactionId } = await start();
  await meter(transactionId);
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ongoing', verdict: 'unknown' }]);
  expect([await listed(), await added()]).toEqual([[transactionId], { inProgress: 1, today: 1, energyWh: 0 }]);
  await stop(transactionId, { meterStop: 105, reason: 'DeAuthorized' });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', verdict: 'unknown', consumptionWh: 100 }]);
  expect(await added()).toEqual({ inProgress: 0, today: 1, energyWh: 100 });
});

it('58. ends a refused start, and counts it, by a stop that reports energy', async () => {
  const { transactionId } = await start();
  await stop(transactionId, { meterStop: 25 });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', consumptionWh: 20 }]);
  expect(await added()).toEqual({ inProgress: 0, today: 1, energyWh: 20 });
});

it.each([
  ['ends, and counts the energy of,', { meterStop: 105 }, 'ended', 100],
  ['leaves refused, without energy,', {}, 'refused', 0],
])('53. %s a refused start by a late stop after its operator has ended it', async (_title, over, state, energyWh) => {
  const { transactionId } = await start();
  const { sessions, chargers, sites } = world.platform.records;
  const owned = { clientId: world.clientId, transactionId: Number(transactionId) };
  const { session } = await endSession({ sessions, chargers, sites, clock: systemClock }, owned, 'left');
  await stop(transactionId, over);
  const end = { endedBy: 'operator', endTime: session.endTime, stopReason: 'left', verdict: 'unknown' };
  expect(await world.sessions(charger)).toMatchObject([{ ...end, state }]);
  expect(await added()).toMatchObject({ inProgress: 0, energyWh });
});
