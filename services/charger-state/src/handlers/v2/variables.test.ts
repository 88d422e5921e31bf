import type { ConfigurationItem } from '@busbar/domain/chargers';
import { handle, secondsBefore, type Situation } from '../../testing/handler-situation';
import { getVariablesOutcome, notifyReport, setVariablesOutcome } from './variables';

const INTERVAL = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
const PASSWORD = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
const NAME = 'OCPPCommCtrlr.HeartbeatInterval';
const item = (part: Partial<ConfigurationItem> = {}): ConfigurationItem => {
  return { configName: NAME, configValue: '300', canBeChanged: true, ...part };
};

function set(variable: typeof INTERVAL, value: string, attributeStatus: string, situation: Situation = {}) {
  const response = { setVariableResult: [{ attributeStatus, ...variable }] };
  const request = { setVariableData: [{ ...variable, attributeValue: value }] };
  const payload = { result: { outcome: 'answered' as const, payload: response }, request, response, status: '' };
  return handle(setVariablesOutcome, payload, { report: { commandId: 'mine' }, ...situation });
}

function read(result: object, situation: Situation = { reported: { configuration: [item({ canBeChanged: false })] } }) {
  const response = { getVariableResult: [{ ...INTERVAL, attributeStatus: 'Accepted', ...result }] };
  const payload = {
    result: { outcome: 'answered' as const, payload: response },
    request: undefined,
    response,
    status: '',
  };
  return handle(getVariablesOutcome, payload, situation);
}

const AGREED = { reports: [{ requestId: 1, kind: 'configuration' as const, isComplete: false, sequences: [] }] };

/** A report of the configuration. */
const report = (attribute: object, situation: Situation = { reported: AGREED }, variable = INTERVAL) =>
  handle(
    notifyReport,
    {
      requestId: 1,
      generatedAt: '2026-06-01T00:00:00Z',
      seqNo: 0,
      reportData: [{ ...variable, variableAttribute: [attribute] }],
    },
    situation,
  ).charger.reported.configuration;

it.each([
  ['Accepted', '60'],
  ['RebootRequired', '300'],
  ['Rejected', '300'],
])('150. stores a value that the charger answers with %s', (status, configValue) => {
  const { configuration } = set(INTERVAL, '60', status, { reported: { configuration: [item()] } }).charger.reported;
  expect(configuration).toMatchObject([{ configName: NAME, configValue }]);
});

it('150. stores a value that the charger reads, with what is known of its mutability', () => {
  expect(read({ attributeValue: '60' }).charger.reported.configuration).toMatchObject([
    { configName: NAME, configValue: '60', canBeChanged: false },
  ]);
  expect(read({ attributeStatus: 'Rejected' }).charger.reported.configuration).toEqual([item({ canBeChanged: false })]);
  expect(read({ attributeType: 'MaxSet', attributeValue: '9' }).charger.reported.configuration[0]?.configValue).toBe(
    '300',
  );
});

it.each([
  ['ReadWrite', [item({ configValue: '60' })]],
  ['ReadOnly', []],
  [undefined, []],
])('150. has a variable that the charger reads in the configuration by its mutability %s', (mutability, expected) => {
  const position = [1, 1] as const;
  const attributes = [{ type: 'Actual', value: '300', position, ...(mutability !== undefined && { mutability }) }];
  const variable = { name: NAME, component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval', attributes, position };
  const deviceModel = { variables: [{ ...variable, updatedAt: secondsBefore(60) }] };
  expect(read({ attributeValue: '60' }, { deviceModel }).charger.reported.configuration).toMatchObject(expected);
});

it.each([
  ['a variable', { value: '60' }, [{ configName: NAME, configValue: '60', canBeChanged: true }]],
  ['one that is read only', { value: '60', mutability: 'ReadOnly' }, [{ configValue: '60', canBeChanged: false }]],
  ['one that is write only, without its value', { value: '60', mutability: 'WriteOnly' }, [{ configValue: '' }]],
  ['no other attribute', { type: 'Target', value: '60' }, []],
])('147. shows of a report %s', (_title, attribute, expected) => {
  expect(report(attribute)).toMatchObject(expected);
});

it('147. names a variable by its place and instances, without regard to case', () => {
  const variable = {
    component: { name: 'Connector', evse: { id: 1, connectorId: 2 } },
    variable: { name: 'ItemsPerMessage', instance: 'GetReport' },
  };
  const known = { reported: { configuration: [item({ configName: 'connector@1.2.itemspermessage[getreport]' })] } };
  expect(report({ value: '4' }, {}, variable)).toMatchObject([
    { configName: 'Connector@1.2.ItemsPerMessage[GetReport]' },
  ]);
  expect(report({ value: '4' }, known, variable)).toHaveLength(1);
});

it.each([
  ['Accepted', 'new', undefined],
  ['Rejected', 'old', undefined],
  ['RebootRequired', 'old', 'agreed'],
])('11. decides by %s which password counts; 152. and stores none as a value', (status, passwordHash, state) => {
  const pending = [
    { commandId: 'mine', passwordHash: 'new', state: 'open' as const, until: '2027-01-01T00:00:00.000Z' },
  ];
  const { charger } = set(PASSWORD, 'a-secret-of-16-characters', status, {
    authentication: { securityProfile: 1, passwordHash: 'old', pending },
  });
  expect(charger.registered.authentication.passwordHash).toBe(passwordHash);
  expect(charger.registered.authentication.pending?.[0]?.state).toBe(state);
  expect(JSON.stringify(charger)).not.toContain('a-secret');
});

describe('a report in parts', () => {
  const part = (requestId: number, seqNo: number, tbc: boolean, situation: Situation = {}) =>
    handle(notifyReport, { requestId, generatedAt: '2026-06-01T00:00:00Z', seqNo, tbc }, situation).charger.reported;

  it('66. is complete when all parts have come in any order; 151. interleaved with another', () => {
    let reported = part(1, 2, false);
    for (const [requestId, seqNo, tbc] of [
      [2, 0, true],
      [1, 0, true],
      [1, 1, true],
    ] as const) {
      expect(reported.reports?.find((each) => each.requestId === 1)?.isComplete).toBe(false);
      reported = part(requestId, seqNo, tbc, { reported });
    }
    expect(reported.reports).toMatchObject([
      { requestId: 2, isComplete: false },
      { requestId: 1, isComplete: true },
    ]);
  });

  it.each([
    [599, true],
    [600, false],
  ])('151. is completed by its last part %d s after the one before: %s', (afterS, expected) => {
    const reported = part(1, 0, true, { report: { receivedAt: secondsBefore(afterS) } });
    expect(part(1, 1, false, { reported }).reports).toMatchObject([{ requestId: 1, isComplete: expected }]);
  });

  it('151. is closed ten minutes after its last part, and then gathered from its first part again', () => {
    let reported = part(1, 0, true, { report: { receivedAt: secondsBefore(1_100) } });
    reported = part(1, 1, true, { reported, report: { receivedAt: secondsBefore(601) } });
    reported = part(1, 2, false, { reported });
    expect(reported.reports).toMatchObject([{ isComplete: false, sequences: [[2, 2]] }]);
    for (const seqNo of [0, 1]) reported = part(1, seqNo, true, { reported });
    expect(reported.reports).toMatchObject([{ isComplete: true }]);
  });

  it('151. stays complete when a part is repeated after ten minutes', () => {
    const reported = part(1, 0, false, { report: { receivedAt: secondsBefore(700) } });
    expect(part(1, 0, false, { reported }).reports).toBe(reported.reports);
  });

  it('151. keeps the newest eight', () => {
    let reported = part(0, 0, false);
    for (let requestId = 1; requestId < 10; requestId += 1) reported = part(requestId, 0, false, { reported });
    expect(reported.reports?.map(({ requestId }) => requestId)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
