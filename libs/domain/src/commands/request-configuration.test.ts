import { createFakeClock } from '@busbar/testing';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import type { Charger } from '../chargers/charger';
import { requestConfiguration } from './request-configuration';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };

function chargerWith(reports: Charger['reported']['reports']): Charger {
  const connection = { active: true, gatewayId: 'gateway', ocppVersion: 'ocpp2.0.1' };
  return newCharger({ connection, ...(reports && { reported: { reports } }) });
}

function open(reports?: Charger['reported']['reports']) {
  const clock = createFakeClock();
  const { calls, ...charger } = answeringCharger();
  const chargers = storedChargers(chargerWith(reports));
  const command = commandTo('GetBaseReport') as Parameters<typeof requestConfiguration>[3];
  return { calls, clock, asked: requestConfiguration({ ...charger, chargers, clock }, OWNER, 7, command) };
}

const REPORT = { requestId: 7, isComplete: true, sequences: [[0, 0]] as const, last: 0 };

it('168. waits for the report that it requested', async () => {
  const { calls, asked } = open([{ ...REPORT, requestId: 6, isComplete: false }, REPORT]);
  expect(await asked).toMatchObject({ status: 'Accepted', charger: { chargerId: 'ACME_1' } });
  expect(calls).toMatchObject([{ action: 'GetBaseReport' }]);
});

it('168. gives up where the report is not complete in time', async () => {
  const { clock, asked } = open([{ ...REPORT, isComplete: false }]);
  const refused = expect(asked).rejects.toMatchObject({ code: 'charger_timeout' });
  for (let n = 0; n < 10; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(200);
  }
  await refused;
});
