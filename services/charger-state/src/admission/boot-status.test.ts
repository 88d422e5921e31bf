// What an admission says of the boots of a charger, and of what it may send before one is accepted.
import type { AdmissionAnswer } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { eventually } from '@busbar/testing';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../testing/open-world';

const BOOT_16 = { chargePointVendor: 'V', chargePointModel: 'M' };
const BOOT_2 = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };
const OF_2 = { ocppVersion: 'ocpp2.0.1' };
const REQUEST = { requestId: 7, reportBase: 'FullInventory' };

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

async function admission(): Promise<AdmissionAnswer & { readonly outcome: 'accept' }> {
  const asked = await world.admission(charger);
  if (asked.outcome !== 'answered' || asked.answer.outcome !== 'accept') throw new Error('it was not admitted');
  return asked.answer;
}

it('122. counts a charger that has booted by 1.6 alone as not booted', async () => {
  expect((await admission()).bootStatus).toBe('none');
  await connection.ask('BootNotification', BOOT_16);
  expect((await admission()).bootStatus).toBe('none');
  await connection.ask('BootNotification', BOOT_2, OF_2);
  expect((await admission()).bootStatus).toBe('accepted');
  await connection.ask('BootNotification', BOOT_16);
  expect((await admission()).bootStatus).toBe('none');
});

it('121. names the reports that the charger has agreed to, until they are complete', async () => {
  const reports = async () => (await world.read(charger)).reported.reports;
  expect((await admission()).solicited).toEqual([]);
  await connection.outcome('GetBaseReport', REQUEST, { status: 'Accepted' }, OF_2);
  await connection.outcome('GetMonitoringReport', { requestId: 8 }, { status: 'Accepted' }, OF_2);
  await eventually(async () => (await reports())?.length === 2);
  expect((await admission()).solicited).toEqual(['NotifyReport', 'NotifyMonitoringReport']);
  const part = { requestId: 7, generatedAt: '2026-01-01T00:00:00Z', seqNo: 0 };
  await connection.report('NotifyReport', part, OF_2);
  await eventually(async () => (await reports())?.some(({ isComplete }) => isComplete) === true);
  expect((await admission()).solicited).toEqual(['NotifyMonitoringReport']);
});
