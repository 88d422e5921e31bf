import { parseTimestamp } from '../timestamp';
import { STRICT } from '../deviation';
import { validateResponse } from '../validator';
import { actions16 } from './actions';
import { ocpp16 } from './protocol';

const actions = [...actions16.values()];

describe('the actions of OCPP 1.6', () => {
  it('has exactly those that have a schema', () => {
    expect([...actions16.keys()].sort()).toEqual([...ocpp16.schemas.keys()].sort());
  });

  it('lets charger-state decide where the answer depends on what is stored', () => {
    const decisions = actions.filter((action) => action.kind === 'decision').map((action) => action.name);
    expect(decisions.sort()).toEqual([
      'Authorize',
      'BootNotification',
      'DataTransfer',
      'SignCertificate',
      'StartTransaction',
      'StopTransaction',
    ]);
  });

  it('answers a report with a payload that fits the schema', () => {
    const reports = actions.filter((action) => action.kind === 'report');
    expect(reports).toHaveLength(8);
    for (const report of reports) {
      const reply = report.reply(new Date('2026-01-01T00:00:00Z'), {});
      expect(validateResponse(ocpp16, report.name, reply, STRICT)).toMatchObject({ ok: true, deviations: [] });
    }
  });

  it('43. has a currentTime that ends in Z with at most three decimals', () => {
    const heartbeat = actions16.get('Heartbeat');
    if (heartbeat?.kind !== 'report') throw new Error('a Heartbeat is a report');
    const now = new Date('2026-01-01T00:00:00.070Z');
    const { currentTime } = heartbeat.reply(now, {}) as { currentTime: string };
    expect(currentTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
    expect(parseTimestamp(currentTime)?.date).toEqual(now);
  });
});
