// The certification cases of monitors and some others of block N, and of display messages (block O); certification.slow.test.ts says what they are.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { newTag, openStation, type Json, type Station } from './testing/open-station';

let world: AllInOneWorld;
let one: Station;
beforeAll(async () => {
  world = await openAllInOne();
  one = await openStation(world);
});
afterAll(() => world.close());

async function send(method: string, path: string, body?: object) {
  const reply = await world.v2(method, `/chargers/${one.id}/${path}`, body);
  return { status: reply.status, body: reply.json() as unknown };
}

const list = async (path: string) => (await send('GET', path)).body as Json & { readonly items: readonly Json[] };
const now = () => new Date().toISOString();
const accepted = () => ({ status: 'Accepted' });

const EVSE = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'AvailabilityState' } };
const STATION = { component: { name: 'ChargingStation' }, variable: { name: 'AvailabilityState' } };

describe('N. Monitoring', () => {
  const criteria = ['ThresholdMonitoring', 'DeltaMonitoring', 'PeriodicMonitoring'];

  /** The charger reports one monitor of the EVSE in two parts. */
  function reports(): void {
    one.charger.answer('GetMonitoringReport', ({ requestId }) => {
      const monitoring = { id: 4, transaction: false, value: 1, type: 'Delta', severity: 8 };
      const monitor = [{ ...EVSE, variableMonitoring: [monitoring] }];
      const part = (fields: object) =>
        one.charger.ask('NotifyMonitoringReport', { requestId, generatedAt: now(), monitor, ...fields });
      void part({ seqNo: 0, tbc: true }).then(() => part({ seqNo: 1 }));
      return { status: 'Accepted' };
    });
  }

  it.each<[string, Json, object]>([
    ['TC_N_01. by criteria', { criteria }, { monitoringCriteria: criteria }],
    ['TC_N_02. of a variable', { variables: ['EVSE@1.AvailabilityState'] }, { componentVariable: [EVSE] }],
    [
      'TC_N_03. by criteria, of a variable',
      { criteria: ['DeltaMonitoring'], variables: ['EVSE@1.AvailabilityState'] },
      { monitoringCriteria: ['DeltaMonitoring'], componentVariable: [EVSE] },
    ],
    [
      'TC_N_60. by criteria, of several variables',
      { criteria, variables: ['EVSE@1.AvailabilityState', 'ChargingStation.AvailabilityState'] },
      { monitoringCriteria: criteria, componentVariable: [EVSE, STATION] },
    ],
  ])('requests a report of monitors %s', async (_title, { variables = [], ...body }: Json, payload) => {
    reports();
    const named = (variables as readonly string[]).map((name) => ({ name }));
    const requested = await send('POST', 'reports', {
      kind: 'monitoring',
      ...body,
      ...(named.length > 0 && { variables: named }),
    });
    expect(requested).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    const { requestId } = requested.body as Json;
    expect(one.sent('GetMonitoringReport')).toEqual({ requestId, ...payload });
    await eventually(async () => {
      const { body: report } = await send('GET', `reports/${String(requestId)}`);
      return (report as Json)['state'] === 'complete';
    });
  });

  it('TC_N_47. requests a report of all monitors', async () => {
    reports();
    expect(await list('monitors?refresh=true')).toMatchObject({ status: 'Accepted', items: [{ id: 4 }] });
    expect(Object.keys(one.sent('GetMonitoringReport') as Json)).toEqual(['requestId']);
  });

  it.each(['All', 'FactoryDefault', 'HardWiredOnly'])('TC_N_05. sets the monitoring base %s', async (base) => {
    one.charger.answer('SetMonitoringBase', accepted);
    expect(await send('PUT', 'monitoring', { base })).toMatchObject({ body: { base: { status: 'Accepted' } } });
    expect(one.sent('SetMonitoringBase')).toEqual({ monitoringBase: base });
  });

  it.each([
    ['TC_N_16', 'Accepted'],
    ['TC_N_17', 'Rejected'],
  ])('%s. sets the monitoring level, which the charger answers with %s', async (_id, status) => {
    one.charger.answer('SetMonitoringLevel', () => ({ status }));
    expect(await send('PUT', 'monitoring', { level: 4 })).toMatchObject({ status: 200, body: { level: { status } } });
    expect(one.sent('SetMonitoringLevel')).toEqual({ severity: 4 });
  });

  it.each([
    ['TC_N_08. a monitor', [EVSE]],
    ['TC_N_09. monitors of several components', [EVSE, STATION]],
  ])('sets %s', async (_title, variables) => {
    const settings = { value: 1, type: 'Delta', severity: 8 };
    one.charger.answer('SetVariableMonitoring', ({ setMonitoringData }) => ({
      setMonitoringResult: (setMonitoringData as readonly Json[]).map(({ component, variable, type, severity }, n) => {
        return { component, variable, type, severity, id: 10 + n, status: 'Accepted' };
      }),
    }));
    const named = [{ component: 'EVSE', evseId: 1 }, { component: 'ChargingStation' }].slice(0, variables.length);
    const monitors = named.map((each) => ({ ...settings, variable: { ...each, variable: 'AvailabilityState' } }));
    expect(await send('POST', 'monitors', { monitors })).toMatchObject({
      status: 200,
      body: variables.map((_each, n) => ({ id: 10 + n, status: 'Accepted' })),
    });
    const setMonitoringData = variables.map((each) => ({ ...settings, ...each }));
    expect(one.sent('SetVariableMonitoring')).toEqual({ setMonitoringData });
    await eventually(async () => (await list('monitors?type=Delta')).items.some(({ id }) => id === 10));
  });

  it('TC_N_18. clears more monitors than the charger takes in a message', async () => {
    const limit = { component: { name: 'MonitoringCtrlr' } };
    const limits = { ItemsPerMessage: '3', BytesPerMessage: '500' };
    one.charger.answer('GetVariables', () => ({
      getVariableResult: Object.entries(limits).map(([name, attributeValue]) => ({
        ...limit,
        variable: { name, instance: 'ClearVariableMonitoring' },
        attributeStatus: 'Accepted',
        attributeValue,
      })),
    }));
    one.charger.answer('ClearVariableMonitoring', ({ id }) => ({
      clearMonitoringResult: (id as readonly number[]).map((each) => ({ id: each, status: 'Accepted' })),
    }));
    const ids = [21, 22, 23, 24, 25];
    expect(await send('POST', 'monitors/clear', { ids })).toEqual({
      status: 200,
      body: ids.map((id) => ({ id, status: 'Accepted', statusInfo: null })),
    });
    const read = one.sent('GetVariables') as { readonly getVariableData: readonly object[] };
    expect(read.getVariableData[0]).toEqual({
      ...limit,
      variable: { name: 'ItemsPerMessage', instance: 'ClearVariableMonitoring' },
    });
    const calls = one.charger.received.filter(({ action }) => action === 'ClearVariableMonitoring');
    expect(calls.map(({ payload }) => payload)).toEqual([{ id: [21, 22, 23] }, { id: [24, 25] }]);
  });

  it('TC_N_44. has a monitor that the charger refused to clear', async () => {
    const status = 'Rejected';
    one.charger.answer('ClearVariableMonitoring', () => ({ clearMonitoringResult: [{ id: 10, status }] }));
    expect(await send('DELETE', 'monitors/10')).toMatchObject({ status: 200, body: { id: 10, status } });
    expect(one.sent('ClearVariableMonitoring')).toEqual({ id: [10] });
    expect((await list('monitors')).items).toContainEqual(expect.objectContaining({ id: 10 }));
  });

  it.each<[string, object]>([
    ['TC_N_21. of a hard-wired monitor', {}],
    ['TC_N_24. that is periodic', { trigger: 'Periodic', variableMonitoringId: 4 }],
    ['TC_N_48. of a variable without a value', { actualValue: '' }],
    ['TC_N_49. that clears another', { cleared: true }],
    ['TC_N_50. that a period triggered', { trigger: 'Periodic', actualValue: '42' }],
  ])('takes an event %s', async (_title, fields) => {
    const data = { eventId: 1, timestamp: now(), trigger: 'Alerting', actualValue: '1', ...EVSE };
    const event = { ...data, eventNotificationType: 'HardWiredMonitor', ...fields };
    expect(await one.charger.ask('NotifyEvent', { generatedAt: now(), seqNo: 0, eventData: [event] })).toEqual({});
  });
});

describe('N. Logs and customer information', () => {
  it('TC_N_34. reports that the charger refuses to send a log', async () => {
    one.charger.answer('GetLog', () => ({ status: 'Rejected' }));
    const body = { location: 'https://files.example/logs' };
    expect(await send('POST', 'diagnostics', body)).toMatchObject({ status: 200, body: { status: 'Rejected' } });
  });

  const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1f' };
  it.each<[string, object, object, string]>([
    ['TC_N_29. which the charger refuses', { report: true, clear: false }, { customerIdentifier: 'C' }, 'Rejected'],
    ['TC_N_32. only to delete it', { report: false, clear: true }, { customerIdentifier: 'C' }, 'Accepted'],
    ['TC_N_62. by an identifier', { report: true, clear: true }, { customerIdentifier: 'C' }, 'Accepted'],
    ['TC_N_63. by a certificate', { report: true, clear: true }, { customerCertificate: HASH }, 'Accepted'],
  ])('requests what is known of a customer: %s', async (_title, flags, customer, status) => {
    one.charger.answer('CustomerInformation', () => ({ status }));
    const { customerCertificate: certificate, ...named } = { customerCertificate: undefined, ...customer };
    const body = { ...flags, ...named, certificate };
    expect(await send('POST', 'customer-information', body)).toMatchObject({ status: 200, body: { status } });
    expect(one.sent('CustomerInformation')).toMatchObject({ ...flags, ...customer });
  });
});

describe('O. Display messages', () => {
  const MESSAGE = { priority: 'NormalCycle', message: { format: 'UTF8', language: 'en', content: 'Hello' } };
  const LATER = '2099-01-01T00:00:00.000Z';
  const BEGIN = '2026-01-01T00:00:00.000Z';
  const set = async (fields: object = {}, status = 'Accepted') => {
    one.charger.answer('SetDisplayMessage', () => ({ status }));
    const reply = await send('POST', 'display-messages', { ...MESSAGE, ...fields });
    expect(reply).toMatchObject({ status: 200, body: { status } });
    return Number((reply.body as Json)['id']);
  };

  it.each<[string, object, string]>([
    ['TC_O_01. at once', {}, 'Accepted'],
    ['TC_O_13. at its start', { startDateTime: BEGIN }, 'Accepted'],
    ['TC_O_14. until its end', { endDateTime: LATER }, 'Accepted'],
    ['TC_O_17. of a priority that it has not', { priority: 'AlwaysFront' }, 'NotSupportedPriority'],
    ['TC_O_18. for a state that it has not', { state: 'Faulted' }, 'NotSupportedState'],
    [
      'TC_O_19. in a format that it has not',
      { message: { format: 'HTML', content: 'x' } },
      'NotSupportedMessageFormat',
    ],
    ['TC_O_25. in a state', { state: 'Charging' }, 'Accepted'],
    ['TC_O_26. that it refuses', {}, 'Rejected'],
  ])('has the charger show a message %s', async (_title, fields, status) => {
    const id = await set(fields, status);
    expect(one.sent('SetDisplayMessage')).toEqual({ message: { ...MESSAGE, ...fields, id } });
  });

  it('TC_O_12. replaces a message', async () => {
    await set({ id: 12 });
    await set({ id: 12, priority: 'InFront' });
    await eventually(async () => (await list('display-messages?id=12')).items[0]?.['priority'] === 'InFront');
  });

  it.each<[string, object]>([
    ['TC_O_06. until that ends', {}],
    ['TC_O_27. from a time on', { startDateTime: BEGIN }],
    ['TC_O_28. until a time', { endDateTime: LATER }],
  ])('has the charger show a message in a transaction %s', async (title, fields) => {
    const theirs = `O-${title.slice(5, 7)}-${one.id}`;
    const event = { transactionId: theirs, evse: { id: 1, connectorId: 1 }, idToken: await newTag(world) };
    await one.charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0 });
    const { transactionId } = await one.session(({ deviceTransactionId }) => deviceTransactionId === theirs);
    const id = await set({ transactionId, ...fields });
    expect(one.sent('SetDisplayMessage')).toEqual({ message: { ...MESSAGE, ...fields, id, transactionId: theirs } });
    await one.charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1 });
    await eventually(async () => (await list(`display-messages?id=${String(id)}`)).items.length === 0);
  });

  it('TC_O_10. reports that the charger does not know the transaction', async () => {
    const { transactionId } = await one.session(({ deviceTransactionId }) => deviceTransactionId === `O-06-${one.id}`);
    await set({ transactionId }, 'UnknownTransaction');
  });

  /** The charger has this message. */
  function reports(id: number, more: object = {}): void {
    one.charger.answer('GetDisplayMessages', ({ requestId }) => {
      void one.charger.ask('NotifyDisplayMessages', { requestId, messageInfo: [{ ...MESSAGE, ...more, id }] });
      return { status: 'Accepted' };
    });
  }

  it.each<[string, string, object]>([
    ['TC_O_07. by its number', 'id=7', { id: [7] }],
    ['TC_O_08. by its priority', 'priority=InFront', { priority: 'InFront' }],
    ['TC_O_09. by its state', 'state=Idle', { state: 'Idle' }],
  ])('requests a message %s', async (_title, query, criteria) => {
    reports(7, { priority: 'InFront', state: 'Idle' });
    const { items } = await list(`display-messages?refresh=true&${query}`);
    expect(items).toContainEqual(expect.objectContaining({ id: 7 }));
    expect(one.sent('GetDisplayMessages')).toMatchObject(criteria);
  });

  it('TC_O_11. requests a message that the charger does not have', async () => {
    one.charger.answer('GetDisplayMessages', () => ({ status: 'Unknown' }));
    expect(await list('display-messages?refresh=true&id=999')).toMatchObject({ status: 'Unknown', items: [] });
  });

  it('TC_O_02. requests all messages', async () => {
    reports(2);
    expect(await list('display-messages?refresh=true')).toMatchObject({ status: 'Accepted', items: [{ id: 2 }] });
    expect(Object.keys(one.sent('GetDisplayMessages') as Json)).toEqual(['requestId']);
  });

  it.each([
    ['TC_O_04', 'Accepted'],
    ['TC_O_05', 'Unknown'],
  ])('%s. clears a message, which the charger answers with %s', async (_id, status) => {
    one.charger.answer('ClearDisplayMessage', () => ({ status }));
    expect(await send('DELETE', 'display-messages/2')).toMatchObject({ status: 200, body: { id: 2, status } });
    expect(one.sent('ClearDisplayMessage')).toEqual({ id: 2 });
  });

  it('TC_O_03. requests all messages where there are none', async () => {
    one.charger.answer('GetDisplayMessages', () => ({ status: 'Unknown' }));
    expect(await list('display-messages?refresh=true')).toMatchObject({ status: 'Unknown', totalRecords: 0 });
  });
});
