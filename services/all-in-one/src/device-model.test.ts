// The device model of a charger of OCPP 2.x on a real socket, and its reports, by the v2 API.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

type Json = Readonly<Record<string, unknown>>;

const INTERVAL = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
const POWER = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } };
const data = (variable: object, value: string, more: object = {}) => ({
  ...variable,
  variableAttribute: [{ value, ...more }],
});
const FULL = [
  data(INTERVAL, '300'),
  {
    ...POWER,
    variableAttribute: [{ value: '0' }, { type: 'MaxSet', value: '22000', mutability: 'ReadOnly' }],
    variableCharacteristics: { dataType: 'decimal', unit: 'W', supportsMonitoring: true },
  },
];

/** Sends a report, one item a part, the last part first. */
async function report(charger: ScriptedCharger, requestId: unknown, items: readonly object[]): Promise<void> {
  const generatedAt = new Date().toISOString();
  for (const [n, item] of [...items.entries()].reverse()) {
    const part = { requestId, generatedAt, seqNo: n, tbc: n + 1 < items.length, reportData: [item] };
    await charger.ask('NotifyReport', part);
  }
}

async function open(version = 'ocpp2.0.1', answer?: (charger: ScriptedCharger) => void) {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [version] });
  answer?.(charger);
  if (version === 'ocpp1.6') await charger.boot();
  else await charger.v2.boot();
  await eventually(() => world.isActive(id));
  const path = `/chargers/${id}`;
  return {
    charger,
    get: async (rest: string) => {
      const { status, json } = await world.v2('GET', `${path}${rest}`);
      return { status, ...json() } as Json & { readonly status: unknown };
    },
    send: async (method: string, rest: string, body: object) => {
      const reply = await world.v2(method, `${path}${rest}`, body);
      return [reply.status, reply.json()] as const;
    },
    bases: () =>
      charger.received.flatMap(({ action, payload }) => (action === 'GetBaseReport' ? [payload['reportBase']] : [])),
  };
}

function sendsFull(charger: ScriptedCharger): void {
  charger.answer('GetBaseReport', ({ requestId }) => {
    void report(charger, requestId, FULL);
    return { status: 'Accepted' };
  });
}

const itemsOf = (list: Json) => list['items'] as readonly (Json & { readonly attributes: readonly Json[] })[];

it('150. requests the whole device model once for a firmware, and shows it', async () => {
  const { charger, get, bases } = await open('ocpp2.1', sendsFull);
  const list = await eventually(async () => {
    const found = await get('/variables');
    return found['isComplete'] === true && found;
  });
  expect(list).toMatchObject({ totalRecords: 2, isComplete: true, status: null, commandId: null });
  expect(itemsOf(list).find(({ component }) => component === 'EVSE')).toMatchObject({
    name: 'EVSE@1.Power',
    instance: null,
    evseId: 1,
    connectorId: null,
    variable: 'Power',
    variableInstance: null,
    attributes: [
      { type: 'Actual', value: '0', mutability: 'ReadWrite', persistent: null, constant: null },
      { type: 'MaxSet', value: '22000', mutability: 'ReadOnly' },
    ],
    dataType: 'decimal',
    unit: 'W',
    valuesList: null,
    minLimit: null,
    maxLimit: null,
  });
  const found = async (query: string) => itemsOf(await get(`/variables?${query}`)).map(({ name }) => name);
  expect(await found('component=evse')).toEqual(['EVSE@1.Power']);
  expect(await found('variable=heartbeatinterval')).toEqual(['OCPPCommCtrlr.HeartbeatInterval']);
  expect(await found('evseId=0')).toEqual(['OCPPCommCtrlr.HeartbeatInterval']);
  expect(await found('attributeType=MaxSet')).toEqual(['EVSE@1.Power']);
  expect(await found('search=heart')).toEqual(['OCPPCommCtrlr.HeartbeatInterval']);
  expect(await found('limit=1&page=2&sortKey=name')).toEqual(['OCPPCommCtrlr.HeartbeatInterval']);
  expect(bases()).toEqual(['FullInventory']);
  await charger.v2.boot();
  await eventually(() => bases().length === 2);
  expect(bases()).toEqual(['FullInventory', 'ConfigurationInventory']);
});

it('148. reads a stored item by its usual name in 1.6, under that name', async () => {
  const { charger, get } = await open('ocpp2.1', sendsFull);
  await eventually(async () => (await get('/variables'))['isComplete']);
  charger.answer('GetVariables', () => ({
    getVariableResult: [{ ...INTERVAL, attributeStatus: 'Accepted', attributeValue: '600' }],
  }));
  const item = async (query: string) => (await get(`/configuration${query}`))['chargerConfigurations'];
  const name = 'heartbeatINTERVAL';
  expect(await item(`?configNames=${name}&refresh=true`)).toMatchObject([
    { configName: name, configValue: '600', changedAt: expect.stringMatching(/Z$/) as string },
  ]);
  const variable = 'OCPPCommCtrlr.HeartbeatInterval';
  await eventually(async () => JSON.stringify(await item('')).includes('600'));
  const long = `DeviceDataCtrlr.ItemsPerMessage[${'x'.repeat(222)}]`;
  const both = await get(`/configuration?configNames=${name},${variable},ResetRetries,${encodeURIComponent(long)}`);
  expect(both['chargerConfigurations']).toMatchObject([
    { configName: name, configValue: '600' },
    { configName: variable, configValue: '600' },
  ]);
  expect(both['unknownConfigNames']).toEqual(['ResetRetries', long]);
});

it('147. shows as unchangeable what a report has as read only, also where it is read by its name', async () => {
  const { charger, get } = await open('ocpp2.0.1', (each) =>
    each.answer('GetBaseReport', ({ requestId, reportBase }) => {
      if (reportBase === 'FullInventory') return { status: 'NotSupported' };
      void report(each, requestId, [data(INTERVAL, '300', { mutability: 'ReadOnly' })]);
      return { status: 'Accepted' };
    }),
  );
  const read = { ...INTERVAL, attributeStatus: 'Accepted', attributeValue: '300' };
  charger.answer('GetVariables', () => ({ getVariableResult: [read] }));
  await eventually(async () => JSON.stringify(await get('/configuration')).includes('"300"'));
  for (const query of ['', '&refresh=true'])
    expect(await get(`/configuration?configNames=HeartbeatInterval${query}`)).toMatchObject({
      chargerConfigurations: [{ configName: 'HeartbeatInterval', canBeChanged: false }],
    });
});

it('150. requests the configuration of a charger that has no whole model', async () => {
  const refuse = (charger: ScriptedCharger) =>
    charger.answer('GetBaseReport', ({ requestId, reportBase }) => {
      if (reportBase === 'FullInventory') return { status: 'NotSupported' };
      void report(charger, requestId, FULL.slice(0, 1));
      return { status: 'Accepted' };
    });
  const { get, bases } = await open('ocpp2.0.1', refuse);
  await eventually(async () => (await get('/variables'))['isComplete'] === true);
  expect(bases()).toEqual(['FullInventory', 'ConfigurationInventory']);
  expect(await get('/variables?refresh=true')).toMatchObject({ status: 'NotSupported', totalRecords: 1 });
});

it('168. waits for the whole report with refresh=true, and shows what came where it is late', async () => {
  const { charger, get } = await open('ocpp2.0.1', (each) =>
    each.answer('GetBaseReport', () => ({ status: 'Rejected' })),
  );
  sendsFull(charger);
  const list = await get('/variables?refresh=true');
  expect(list).toMatchObject({
    status: 'Accepted',
    isComplete: true,
    totalRecords: 2,
    commandId: expect.any(String) as string,
  });
  charger.answer('GetBaseReport', () => ({ status: 'EmptyResultSet' }));
  expect(await get('/variables?refresh=true')).toMatchObject({ status: 'EmptyResultSet', totalRecords: 0 });
  charger.answer('GetBaseReport', ({ requestId }) => {
    void charger.ask('NotifyReport', {
      requestId,
      generatedAt: new Date().toISOString(),
      seqNo: 1,
      reportData: [data(POWER, '5')],
    });
    return { status: 'Accepted' };
  });
  expect(await get('/variables?refresh=true&timeoutS=1')).toMatchObject({ status: 504, code: 'charger_timeout' });
  const power = itemsOf(await get('/variables?component=EVSE'))[0];
  expect(power?.attributes[0]).toMatchObject({ value: '5' });
});

it('150. shows a value for the next boot as pendingValue until then, and values of events at once', async () => {
  const { charger, get, send } = await open('ocpp2.0.1', sendsFull);
  await eventually(async () => (await get('/variables'))['isComplete'] === true);
  const interval = async () => itemsOf(await get('/variables?variable=HeartbeatInterval'))[0]?.attributes[0] ?? {};
  const answer = (attributeStatus: string) =>
    charger.answer('SetVariables', () => ({ setVariableResult: [{ attributeStatus, ...INTERVAL }] }));
  const set = (value: string) =>
    send('PATCH', '/variables', { variables: [{ name: 'OCPPCommCtrlr.HeartbeatInterval', value }] });
  answer('Accepted');
  await set('60');
  await eventually(async () => (await interval())['value'] === '60');
  answer('RebootRequired');
  await set('90');
  await eventually(async () => (await interval())['pendingValue'] === '90');
  expect(await interval()).toMatchObject({ value: '60' });
  charger.answer('GetBaseReport', () => ({ status: 'Rejected' }));
  await charger.v2.boot();
  await eventually(async () => (await interval())['value'] === '90');
  expect(await interval()).not.toHaveProperty('pendingValue');
  const event = { eventId: 1, timestamp: new Date().toISOString(), trigger: 'Delta', actualValue: '7400' };
  const eventData = [{ ...event, eventNotificationType: 'CustomMonitor', ...POWER }];
  await charger.ask('NotifyEvent', { generatedAt: new Date().toISOString(), seqNo: 0, eventData });
  await eventually(async () => itemsOf(await get('/variables?component=EVSE'))[0]?.attributes[0]?.['value'] === '7400');
});

it('152. takes a password as long as the charger reported that one may be, and one in a call', async () => {
  const password = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
  const limited = {
    ...password,
    variableAttribute: [],
    variableCharacteristics: { dataType: 'string', maxLimit: 80, supportsMonitoring: false },
  };
  const { charger, get, send } = await open('ocpp2.1', (each) =>
    each.answer('GetBaseReport', ({ requestId }) => {
      void report(each, requestId, [
        data(INTERVAL, '300'),
        { ...limited, variableAttribute: [{ mutability: 'WriteOnly' }] },
      ]);
      return { status: 'Accepted' };
    }),
  );
  charger.answer('SetVariables', ({ setVariableData }) => ({
    setVariableResult: (setVariableData as readonly Json[]).map(({ component, variable }) => ({
      component,
      variable,
      attributeStatus: 'Rejected',
    })),
  }));
  await eventually(async () => (await get('/variables'))['isComplete'] === true);
  const change = (...lengths: readonly number[]) =>
    send('PATCH', '/variables', {
      variables: lengths.map((length) => ({ name: 'AuthorizationKey', value: 'p'.repeat(length) })),
    });
  expect(await change(80)).toMatchObject([200, [{ status: 'Rejected' }]]);
  expect(await change(81)).toMatchObject([400, { code: 'invalid_request', errors: [{ path: '/variables/0/value' }] }]);
  expect(await change(20, 20)).toMatchObject([400, { code: 'invalid_request', errors: [{ path: '/variables' }] }]);
});

it('153. reads and changes variables by as many calls as the charger needs, with one response', async () => {
  const { charger, send } = await open();
  const limits: Readonly<Record<string, string>> = { ItemsPerMessage: '2', BytesPerMessage: '9000' };
  const namesOf = (list: unknown) =>
    (list as readonly { component: Json; variable: { name: string } }[]).map(({ component, variable }) => ({
      component,
      variable,
    }));
  charger.answer('GetVariables', ({ getVariableData }) => ({
    getVariableResult: namesOf(getVariableData).map((each) => ({
      ...each,
      attributeStatus: 'Accepted',
      attributeValue: limits[each.variable.name] ?? `value of ${each.variable.name}`,
    })),
  }));
  charger.answer('SetVariables', ({ setVariableData }) => ({
    setVariableResult: namesOf(setVariableData).map((each) => ({ ...each, attributeStatus: 'Accepted' })),
  }));
  const sent = (action: string, field: string) =>
    charger.received.flatMap((each) =>
      each.action === action
        ? [
            namesOf(each.payload[field])
              .map(({ variable }) => variable.name)
              .join(','),
          ]
        : [],
    );
  const names = ['A', 'B', 'C', 'D', 'E'];
  const variables = names.map((name) => `Ctrlr.${name}`);
  const [status, read] = await send('POST', '/variables/read', { variables });
  const values = names.map((name) => ({ name: `Ctrlr.${name}`, value: `value of ${name}`, status: 'Accepted' }));
  expect([status, read]).toMatchObject([200, values]);
  const own = sent('GetVariables', 'getVariableData');
  expect(own).toEqual(['ItemsPerMessage,BytesPerMessage', 'A,B', 'C,D', 'E']);
  // The limit is stored by now, and not read again.
  await send('POST', '/variables/read', { variables });
  expect(sent('GetVariables', 'getVariableData')).toEqual([...own, 'A,B', 'C,D', 'E']);

  const changes = variables.map((name) => ({ name, value: '1' }));
  const [, changed] = await send('PATCH', '/variables', { variables: changes });
  expect(changed).toMatchObject(variables.map((name) => ({ name, status: 'Accepted' })));
  expect(sent('SetVariables', 'setVariableData')).toEqual(['A,B', 'C,D', 'E']);
});

it('151. requests a report and shows what has come of it', async () => {
  const { charger, get, send } = await open('ocpp2.0.1', (each) =>
    each.answer('GetBaseReport', () => ({ status: 'Rejected' })),
  );
  charger.answer('GetBaseReport', () => ({ status: 'Accepted' }));
  const [status, asked] = await send('POST', '/reports', { kind: 'summary' });
  expect([status, asked]).toMatchObject([200, { status: 'Accepted', requestId: expect.any(Number) as number }]);
  const requestId = Number(asked['requestId']);
  expect(await get(`/reports/${String(requestId)}`)).toMatchObject({
    kind: 'summary',
    state: 'pending',
    parts: 0,
    items: [],
  });
  // It is not asked again while it sends.
  const [, again] = await send('POST', '/reports', { kind: 'summary' });
  expect(again).toMatchObject({ requestId, status: 'Accepted', commandId: null });
  expect(charger.received.filter(({ payload }) => payload['reportBase'] === 'SummaryInventory')).toHaveLength(1);
  await report(charger, requestId, FULL);
  const whole = await eventually(async () => {
    const read = await get(`/reports/${String(requestId)}`);
    return read['state'] === 'complete' && read;
  });
  expect(whole).toMatchObject({ requestId, parts: 2, hasMore: false });
  expect(itemsOf(whole).map(({ name }) => name)).toEqual(['OCPPCommCtrlr.HeartbeatInterval', 'EVSE@1.Power']);
  expect(await get('/reports/1')).toMatchObject({ status: 404, code: 'not_found' });
});

it('151. requests reports by criteria, of monitors and of a customer', async () => {
  const { charger, get, send } = await open('ocpp2.1');
  const received = (action: string) => charger.received.find((each) => each.action === action)?.payload;
  charger.answer('GetReport', () => ({ status: 'EmptyResultSet' }));
  const custom = { kind: 'custom', criteria: ['Problem'], variables: [{ component: 'EVSE', evseId: 1 }] };
  const [, empty] = await send('POST', '/reports', custom);
  expect(received('GetReport')).toMatchObject({
    componentCriteria: ['Problem'],
    componentVariable: [{ component: { name: 'EVSE', evse: { id: 1 } } }],
  });
  expect(empty).toMatchObject({ status: 'EmptyResultSet' });
  await eventually(async () => (await get(`/reports/${String(empty['requestId'])}`))['state'] === 'complete');

  charger.answer('GetMonitoringReport', ({ requestId }) => {
    const monitor = {
      id: 4,
      transaction: false,
      value: 10,
      type: 'Delta',
      severity: 5,
      eventNotificationType: 'CustomMonitor',
    };
    const part = {
      requestId,
      seqNo: 0,
      generatedAt: new Date().toISOString(),
      monitor: [{ ...POWER, variableMonitoring: [monitor] }],
    };
    void charger.ask('NotifyMonitoringReport', part);
    return { status: 'Accepted' };
  });
  const [, monitoring] = await send('POST', '/reports', { kind: 'monitoring', criteria: ['DeltaMonitoring'] });
  expect(received('GetMonitoringReport')).toMatchObject({ monitoringCriteria: ['DeltaMonitoring'] });
  await eventually(async () => (await get(`/reports/${String(monitoring['requestId'])}`))['state'] === 'complete');
  expect(await get(`/reports/${String(monitoring['requestId'])}`)).toMatchObject({
    kind: 'monitoring',
    items: [{ name: 'EVSE@1.Power', monitors: [{ id: 4, type: 'Delta' }] }],
  });

  charger.answer('CustomerInformation', ({ requestId }) => {
    const part = (seqNo: number, text: string, tbc: boolean) =>
      charger.ask('NotifyCustomerInformation', {
        requestId,
        seqNo,
        generatedAt: new Date().toISOString(),
        data: text,
        tbc,
      });
    void part(1, 'two', false).then(() => part(0, 'one', true));
    return { status: 'Accepted' };
  });
  await world.v2('POST', '/tags', { idTag: '04A2B3', type: 'ISO14443' });
  const [, customer] = await send('POST', '/customer-information', { report: true, clear: false, rfidTag: '04A2B3' });
  expect(received('CustomerInformation')).toMatchObject({
    report: true,
    clear: false,
    idToken: { idToken: '04A2B3', type: 'ISO14443' },
  });
  await eventually(async () => (await get(`/reports/${String(customer['requestId'])}`))['state'] === 'complete');
  expect(await get(`/reports/${String(customer['requestId'])}`)).toMatchObject({
    kind: 'customer_information',
    items: ['one', 'two'],
  });
});

it('151. shows the data of a customer in its report alone', async () => {
  const { charger, get, send } = await open('ocpp2.1');
  charger.answer('CustomerInformation', ({ requestId }) => {
    const part = { requestId, seqNo: 0, generatedAt: new Date().toISOString(), data: 'Jane Doe' };
    void charger.ask('NotifyCustomerInformation', part);
    return { status: 'Accepted' };
  });
  const [, sent] = await send('POST', '/customer-information', {
    report: true,
    clear: false,
    customerIdentifier: 'Jane',
  });
  expect(charger.received.at(-1)?.payload).toMatchObject({ customerIdentifier: 'Jane' });
  await eventually(async () => (await get(`/reports/${String(sent['requestId'])}`))['state'] === 'complete');
  expect(await get(`/reports/${String(sent['requestId'])}`)).toMatchObject({ items: ['Jane Doe'] });
  const logs = await eventually(async () => {
    const text = JSON.stringify(await get('/ocpp-logs'));
    return text.includes('NotifyCustomerInformation') && text.includes('"CustomerInformation') && text;
  });
  const command = await world.v2('GET', `/commands/${String(sent['commandId'])}`);
  const request = JSON.stringify(command.json());
  for (const text of [logs, request, JSON.stringify(await get(''))]) expect(text).not.toContain('Jane');
  for (const text of [logs, request]) expect(text).toContain('***');
});

it.each([
  ['reports', { kind: 'full', criteria: ['Problem'] }, '/criteria'],
  ['reports', { kind: 'custom', criteria: ['DeltaMonitoring'] }, '/criteria/0'],
  ['reports', { kind: 'custom', variables: [{ variable: 'V' }] }, '/variables/0'],
  ['reports', { kind: 'custom', variables: [{ name: 'nonsense' }] }, '/variables/0/name'],
  ['customer-information', { report: true, clear: false }, '/rfidTag'],
  [
    'customer-information',
    { report: true, clear: false, rfidTag: 'A', customerIdentifier: 'B' },
    '/customerIdentifier',
  ],
])('refuses a request to %s that is wrong: %j', async (what, body, path) => {
  const { send } = await shared();
  expect(await send('POST', `/${what}`, body)).toMatchObject([400, { code: 'invalid_request', errors: [{ path }] }]);
});

let opened: ReturnType<typeof open> | undefined;
function shared(): ReturnType<typeof open> {
  opened ??= open();
  return opened;
}

it('has no variables and no reports in OCPP 1.6', async () => {
  const { get, send } = await open('ocpp1.6');
  const refused = { status: 409, code: 'not_supported_by_version' };
  expect(await get('/variables')).toMatchObject(refused);
  expect(await get('/variables?refresh=true')).toMatchObject(refused);
  expect(await get('/reports/1')).toMatchObject(refused);
  expect(await send('POST', '/reports', { kind: 'full' })).toMatchObject([409, { code: refused.code }]);
  const customer = { report: true, clear: false, rfidTag: 'A' };
  expect(await send('POST', '/customer-information', customer)).toMatchObject([409, { code: refused.code }]);
});

it('159. requests charging profiles, and lists those of other sources and their limits', async () => {
  const { charger, get } = await open('ocpp2.1');
  const profile = (id: number, chargingProfilePurpose: string) => ({
    id,
    stackLevel: 0,
    chargingProfilePurpose,
    chargingProfileKind: 'Absolute',
    chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] }],
  });
  const parts = [
    { chargingLimitSource: 'EMS', evseId: 0, chargingProfile: [profile(9, 'ChargingStationExternalConstraints')] },
    { chargingLimitSource: 'CSO', evseId: 1, chargingProfile: [profile(1, 'TxDefaultProfile')] },
  ];
  let own: readonly object[] = parts;
  charger.answer('GetChargingProfiles', ({ requestId }) => {
    void (async () => {
      for (const [n, part] of own.entries()) {
        await charger.ask('ReportChargingProfiles', { requestId, tbc: n + 1 < own.length, ...part });
      }
    })();
    return { status: own.length === 0 ? 'NoProfiles' : 'Accepted' };
  });
  await charger.ask('NotifyChargingLimit', { chargingLimit: { chargingLimitSource: 'EMS' } });
  expect(await get('/charging-profiles?refresh=true')).toMatchObject({
    status: 'Accepted',
    totalRecords: 2,
    items: [
      { chargingProfileId: 9, source: 'EMS', socketId: null, commandId: null },
      { chargingProfileId: 1, source: 'CSO', socketId: 1, chargingProfilePurpose: 'TxDefaultProfile' },
    ],
    externalLimits: [{ source: 'EMS', socketId: null, chargingSchedule: [] }],
  });
  expect(await get('/charging-profiles?chargingLimitSource=CSO')).toMatchObject({ status: null, totalRecords: 1 });
  // A profile of an EVSE is of all its connectors.
  expect(await get('/charging-profiles?socketId=102')).toMatchObject({ totalRecords: 1 });
  own = parts.slice(1);
  const some = await get('/charging-profiles?refresh=true&socketId=1&stackLevel=0');
  expect(some).toMatchObject({ status: 'Accepted', totalRecords: 1 });
  // It is asked for its device model meanwhile.
  const asked = charger.received.findLast(({ action }) => action === 'GetChargingProfiles');
  expect(asked?.payload).toMatchObject({ evseId: 1, chargingProfile: { stackLevel: 0 } });
  // By criteria a report removes nothing.
  expect(await get('/charging-profiles')).toMatchObject({ totalRecords: 2 });
  await charger.ask('ClearedChargingLimit', { chargingLimitSource: 'EMS' });
  own = [];
  expect(await get('/charging-profiles?refresh=true')).toMatchObject({ status: 'NoProfiles', items: [] });
  expect(await get('/charging-profiles')).toMatchObject({ totalRecords: 0, externalLimits: [] });
});
