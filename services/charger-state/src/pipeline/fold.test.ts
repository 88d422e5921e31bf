import type { ReportEnvelope } from '@busbar/contracts';
import { noRows } from '@busbar/domain/reports';
import { NO_EVENTS } from '../feed/batch-events';
import { createRouter } from '../handlers/router';
import { createV16Routes } from '../handlers/v16/routes';
import { chargerWith, RECEIVED_AT } from '../testing/handler-situation';
import { newReport } from '../testing/report';
import { fold } from './fold';
import { lookupsOf } from './lookups';

function logged(over: Partial<ReportEnvelope>) {
  const charger = chargerWith({});
  const report = newReport({
    chargerId: charger.chargerId,
    action: 'Heartbeat',
    messageId: '7',
    receivedAt: RECEIVED_AT,
    ...over,
  });
  const rows = noRows();
  const lookups = lookupsOf({ tags: [], sessions: [], openClients: new Set(), newIds: new Map(), deviceStates: [] });
  const settings = {
    route: createRouter({ 'ocpp1.6': createV16Routes() }),
    heartbeatIntervalS: 300,
    isDeadGateway: () => false,
    now: () => new Date(RECEIVED_AT),
  };
  const context = {
    lookups,
    rows,
    contested: [],
    events: NO_EVENTS,
    position: [1, 1],
    heartbeatIntervalS: 300,
  } as const;
  fold(charger, report, { ...context, contested: [] }, settings);
  return rows.log[0]?.response;
}

const ANSWER = `{"status":"Accepted","currentTime":"${RECEIVED_AT}","interval":300}`;
const boot = {
  kind: 'decision',
  action: 'BootNotification',
  payload: { chargePointVendor: 'V', chargePointModel: 'M' },
} as const;

describe('the logged response', () => {
  it.each<[string, Partial<ReportEnvelope>, string]>([
    ['is the answer of the gateway', { answer: '[3,"7",{"currentTime":"now"}]' }, '[3,"7",{"currentTime":"now"}]'],
    ['is empty where the gateway sent none', { kind: 'log_only' }, ''],
    ['is the answer of the handler', boot, `[3,"7",${ANSWER}]`],
    ['has the numeric id of the CALL', { ...boot, deviations: ['numeric_message_id'] }, `[3,7,${ANSWER}]`],
    ['is empty where no handler answers', { kind: 'decision', action: 'Unknown' }, ''],
    [
      'is the frame of the charger for a CALL of the service',
      { kind: 'outcome', request: '[2,"7","Reset",{}]', raw: '[3,"7",{}]', payload: { outcome: 'timeout' } },
      '[3,"7",{}]',
    ],
  ])('%s', (_, over, response) => {
    expect(logged(over)).toBe(response);
  });
});
