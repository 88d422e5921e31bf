import { minimalPayload } from '@busbar/testing';
import { STRICT } from '../deviation';
import type { Protocol } from '../protocol';
import { validateResponse } from '../validator';
import { actions201 } from '../v201/actions';
import { ocpp201 } from '../v201/protocol';
import { ocpp21 } from '../v21/protocol';

const NOW = new Date('2026-01-01T00:00:00.070Z');
const from = ({ actions }: Protocol, who: string): string[] =>
  [...actions.values()].filter((action) => action.from === who && action.kind !== 'send').map(({ name }) => name);
const reportsOf = ({ actions }: Protocol) => [...actions.values()].filter((action) => action.kind === 'report');

describe.each([
  ['2.0.1', ocpp201, [24, 39, 1], 0],
  ['2.1', ocpp21, [35, 54, 1], 1],
] as const)('the actions of OCPP %s', (_version, protocol, counts, sends) => {
  it('101. have exactly those that have a schema, by who sends them', () => {
    expect([...protocol.actions.keys()].sort()).toEqual([...protocol.schemas.keys()].sort());
    expect([...protocol.sent.keys()].sort()).toEqual([...protocol.schemas.keys()].sort());
    expect(['charger', 'us', 'both'].map((who) => from(protocol, who).length)).toEqual(counts);
    expect([...protocol.actions.values()].filter(({ kind }) => kind === 'send')).toHaveLength(sends);
  });

  it('126. answer each report with a payload that fits its schema', () => {
    for (const report of reportsOf(protocol)) {
      const schema = protocol.schemas.get(report.name)?.request.schema;
      const reply = report.reply(NOW, minimalPayload(schema ?? {}));
      expect([report.name, validateResponse(protocol, report.name, reply, STRICT)]).toEqual([
        report.name,
        { ok: true, payload: reply, deviations: [] },
      ]);
    }
  });

  it('43. have a currentTime that ends in Z with at most three decimals', () => {
    const heartbeat = reportsOf(protocol).find(({ name }) => name === 'Heartbeat');
    expect(heartbeat?.reply(NOW, {})).toEqual({ currentTime: '2026-01-01T00:00:00.070Z' });
  });

  it('128. make a TransactionEvent a decision where it has a token, else a report', () => {
    const action = protocol.actions.get('TransactionEvent');
    const kindOf = (payload: object) => (action?.kind === 'variable' ? action.of({ ...payload }).kind : undefined);
    expect(kindOf({ idToken: { idToken: 'A', type: 'Central' } })).toBe('decision');
    expect(kindOf({})).toBe('report');
    expect(action).toMatchObject({ isTransactional: true, namesTag: true });
  });
});

it('104. begins the table of 2.1 with that of 2.0.1', () => {
  expect([...ocpp21.actions.keys()].slice(0, actions201.size)).toEqual([...actions201.keys()]);
});

it('127. repeats in the answer to VatNumberValidation what it asks about', () => {
  const report = reportsOf(ocpp21).find(({ name }) => name === 'VatNumberValidation');
  expect(report?.reply(NOW, { vatNumber: 'V', evseId: 2 })).toEqual({ status: 'Rejected', vatNumber: 'V', evseId: 2 });
  expect(report?.reply(NOW, { vatNumber: 'V' })).toEqual({ status: 'Rejected', vatNumber: 'V' });
});
