import { createFakeClock } from '@busbar/testing';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import type { Charger } from '../chargers/charger';
import { requestReport, requestWholeReport } from './request-report';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };

function chargerWith(reports: Charger['reported']['reports']): Charger {
  const connection = { active: true, gatewayId: 'gateway', ocppVersion: 'ocpp2.0.1', position: [3, 1] as const };
  return newCharger({ connection, ...(reports && { reported: { reports } }) });
}

function open(reports?: Charger['reported']['reports']) {
  const clock = createFakeClock();
  const { calls, ...charger } = answeringCharger();
  const chargers = storedChargers(chargerWith(reports));
  const command = commandTo('GetBaseReport') as Parameters<typeof requestWholeReport>[3];
  return {
    calls,
    clock,
    asked: requestWholeReport({ ...charger, chargers, clock }, OWNER, { requestId: 7, kind: 'full' }, command),
  };
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

const PENDING = { requestId: 5, kind: 'full', isComplete: false, sequences: [[0, 0]], since: [3, 9] } as const;

it.each([
  ['is sending', {}, 5],
  ['has completed', { isComplete: true }, 7],
  ['was sending on another connection', { since: [2, 9] as const }, 7],
  ['is sending of another kind', { kind: 'configuration' as const }, 7],
  ['is sending by criteria', { isPartial: true as const }, 7],
  ['gave up ten minutes ago', { lastPartAt: '2020-01-01T00:00:00.000Z' }, 7],
  ['is sending to the service', { isOwn: true as const }, 5],
  ['has agreed with the service to send', { isOwn: true as const, sequences: [] }, 7],
])('168. takes the report that the charger %s, or requests its own: %j', async (_title, part, requestId) => {
  const clock = createFakeClock();
  const { calls, ...charger } = answeringCharger();
  const reports = [{ ...PENDING, ...part }, { ...REPORT }];
  const command = commandTo('GetBaseReport') as Parameters<typeof requestReport>[3];
  const deps = { ...charger, chargers: storedChargers(chargerWith(reports)), clock };
  const requested = await requestReport(deps, OWNER, { requestId: 7, kind: 'full' }, command);
  expect(requested).toMatchObject({ requestId, status: 'Accepted' });
  expect([calls.length, requested.commandId === null]).toEqual(requestId === 7 ? [1, false] : [0, true]);
});
