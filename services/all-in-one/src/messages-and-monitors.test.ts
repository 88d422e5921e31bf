// Display messages and monitors of a charger of OCPP 2.x on a real socket, by the v2 API.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

type Json = Readonly<Record<string, unknown>>;

async function open(version = 'ocpp2.0.1') {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [version] });
  if (version === 'ocpp1.6') await charger.boot();
  else await charger.v2.boot();
  await eventually(() => world.isActive(id));
  const send = async (method: string, path: string, body?: object) => {
    const reply = await world.v2(method, `/chargers/${id}/${path}`, body);
    return { status: reply.status, body: reply.json() as unknown };
  };
  const list = async (path: string) => (await send('GET', path)).body as Json & { readonly items: readonly Json[] };
  return {
    charger,
    send,
    list,
    /** The list as soon as it has so many records: outcomes are stored after the response. */
    listOf: (path: string, totalRecords: number) =>
      eventually(async () => {
        const found = await list(path);
        return found['totalRecords'] === totalRecords && found;
      }),
    sent: (action: string) => charger.received.findLast((call) => call.action === action)?.payload,
  };
}

const MESSAGE = { priority: 'InFront', message: { format: 'UTF8', content: 'Hello' } };

it('160. sets a display message, lists it and clears it', async () => {
  const { charger, send, list, listOf, sent } = await open('ocpp2.1');
  charger.answer('SetDisplayMessage', () => ({ status: 'Accepted' }));
  const texts = { messageExtra: [{ format: 'QRCODE', language: 'de', content: 'Hallo' }], state: 'Suspended' };
  const place = { endDateTime: '2099-01-01T00:00:00.000Z', display: { name: 'Main', evse: { id: 1 } } };
  const set = await send('POST', 'display-messages', { ...MESSAGE, ...texts, ...place });
  expect(set).toMatchObject({ status: 200, body: { status: 'Accepted' } });
  const { id, commandId } = set.body as Json;
  expect(sent('SetDisplayMessage')).toEqual({ message: { ...MESSAGE, ...texts, ...place, id } });
  expect((await listOf('display-messages', 1)).items).toEqual([
    {
      ...MESSAGE,
      ...texts,
      ...place,
      id,
      message: { ...MESSAGE.message, language: null },
      startDateTime: null,
      transactionId: null,
      setAt: expect.any(String) as string,
      commandId,
    },
  ]);
  expect(await list('display-messages?search=hell')).toMatchObject({ totalRecords: 1, listedAt: null, status: null });
  for (const filter of ['search=x', 'priority=NormalCycle', 'state=Idle', 'id=0']) {
    expect(await list(`display-messages?${filter}`)).toMatchObject({ totalRecords: 0 });
  }
  charger.answer('ClearDisplayMessage', () => ({ status: 'Accepted' }));
  const cleared = await send('DELETE', `display-messages/${String(id)}`);
  expect(cleared).toMatchObject({ status: 200, body: { id, status: 'Accepted' } });
  await listOf('display-messages', 0);
});

it('160. sets a message for a session by our id of it', async () => {
  const { charger, send, listOf, sent } = await open();
  charger.answer('SetDisplayMessage', () => ({ status: 'Accepted' }));
  const event = { transactionId: 'T-1', evse: { id: 1, connectorId: 1 }, idToken: 'TAG' };
  await charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0 });
  const { transactionId } = await eventually(async () => {
    const { items } = (await world.v2('GET', '/sessions?limit=100')).json() as { readonly items: readonly Json[] };
    return items.find(({ deviceTransactionId }) => deviceTransactionId === 'T-1');
  });
  await send('POST', 'display-messages', { ...MESSAGE, id: 5, transactionId });
  expect(sent('SetDisplayMessage')).toEqual({ message: { ...MESSAGE, id: 5, transactionId: 'T-1' } });
  expect((await listOf('display-messages', 1)).items).toMatchObject([{ id: 5, transactionId }]);
  expect(await send('POST', 'display-messages', { ...MESSAGE, transactionId: 2_000_000_000 })).toMatchObject({
    status: 404,
  });
  await charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1 });
  await listOf('display-messages', 0);
});

it('151. lists the display messages that a charger reports when it is asked', async () => {
  const { charger, send, list, listOf, sent } = await open();
  charger.answer('SetDisplayMessage', () => ({ status: 'Accepted' }));
  await send('POST', 'display-messages', { ...MESSAGE, id: 1 });
  await listOf('display-messages', 1);
  const reports = (...ids: readonly number[]) =>
    charger.answer('GetDisplayMessages', ({ requestId }) => {
      const part = (id: number, tbc: boolean) =>
        charger.ask('NotifyDisplayMessages', { requestId, tbc, messageInfo: [{ ...MESSAGE, id }] });
      void (async () => {
        for (const [n, id] of ids.entries()) await part(id, n + 1 < ids.length);
      })();
      return { status: 'Accepted' };
    });
  const numbers = async (path: string) => (await list(path)).items.map(({ id }) => id);
  reports(2);
  expect(await numbers('display-messages?refresh=true&id=2&priority=InFront')).toEqual([2]);
  expect(sent('GetDisplayMessages')).toMatchObject({ id: [2], priority: 'InFront' });
  expect(await numbers('display-messages?sortKey=id')).toEqual([1, 2]);
  reports(3, 4);
  const refreshed = await list('display-messages?refresh=true&sortKey=id');
  expect(refreshed).toMatchObject({ status: 'Accepted', items: [{ id: 3 }, { id: 4 }], totalRecords: 2 });
  expect(refreshed['listedAt']).not.toBeNull();
  expect(sent('GetDisplayMessages')).toEqual({ requestId: expect.any(Number) as number });
  charger.answer('GetDisplayMessages', () => ({ status: 'Unknown' }));
  expect(await list('display-messages?refresh=true')).toMatchObject({ status: 'Unknown', totalRecords: 0 });
  await listOf('display-messages', 0);
});

it('168. answers 504 where a report of display messages is not whole in time, and stores what came', async () => {
  const { charger, send, listOf } = await open();
  charger.answer('GetDisplayMessages', ({ requestId }) => {
    void charger.ask('NotifyDisplayMessages', { requestId, tbc: true, messageInfo: [{ ...MESSAGE, id: 3 }] });
    return { status: 'Accepted' };
  });
  const late = await send('GET', 'display-messages?refresh=true&timeoutS=1');
  expect(late).toMatchObject({ status: 504, body: { code: 'charger_timeout' } });
  await listOf('display-messages', 1);
});

it.each([
  ['/messageExtra', { messageExtra: [{ format: 'UTF8', content: 'x' }] }],
  ['/state', { state: 'Suspended' }],
  ['/message/format', { message: { format: 'QRCODE', content: 'x' } }],
  ['/message/content', { message: { format: 'UTF8', content: 'x'.repeat(513) } }],
])('refuses a display message that OCPP 2.0.1 cannot carry at %s', async (path, fields) => {
  const { send } = await shared();
  expect(await send('POST', 'display-messages', { ...MESSAGE, ...fields })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', errors: [{ path }] },
  });
});

const POWER = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } };

it('160. sets monitors, lists them and clears one', async () => {
  const { charger, send, list, listOf, sent } = await open();
  charger.answer('SetVariableMonitoring', ({ setMonitoringData }) => ({
    setMonitoringResult: (setMonitoringData as readonly Json[]).map(({ component, variable, type, severity }, n) => {
      const result = { component, variable, type, severity };
      return n === 0 ? { ...result, id: 3, status: 'Accepted' } : { ...result, status: 'UnsupportedMonitorType' };
    }),
  }));
  const monitor = { type: 'UpperThreshold', value: 11_000, severity: 5 };
  const parts = { component: 'EVSE', evseId: 1, variable: 'Power' };
  const monitors = [
    { ...monitor, variable: 'EVSE@1.Power', transaction: true },
    { ...monitor, variable: parts, id: 8 },
  ];
  expect(await send('POST', 'monitors', { monitors })).toEqual({
    status: 200,
    body: [
      { id: 3, name: 'EVSE@1.Power', type: 'UpperThreshold', severity: 5, status: 'Accepted', statusInfo: null },
      expect.objectContaining({ id: null, status: 'UnsupportedMonitorType' }),
    ],
  });
  expect(sent('SetVariableMonitoring')).toEqual({
    setMonitoringData: [
      { ...monitor, ...POWER, transaction: true },
      { ...monitor, ...POWER, id: 8 },
    ],
  });
  expect((await listOf('monitors', 1)).items).toEqual([
    {
      ...monitor,
      id: 3,
      name: 'EVSE@1.Power',
      ...parts,
      instance: null,
      connectorId: null,
      variableInstance: null,
      transaction: true,
      eventNotificationType: 'CustomMonitor',
      setAt: expect.any(String) as string,
      commandId: expect.any(String) as string,
    },
  ]);
  expect(await list('monitors?component=evse&variable=power&evseId=1&search=pow')).toMatchObject({ totalRecords: 1 });
  for (const filter of ['component=x', 'variable=x', 'evseId=0', 'type=Delta', 'search=x']) {
    expect(await list(`monitors?${filter}`)).toMatchObject({ totalRecords: 0, listedAt: null });
  }
  charger.answer('ClearVariableMonitoring', ({ id }) => ({
    clearMonitoringResult: (id as readonly number[]).map((each) => ({ id: each, status: 'Accepted' })),
  }));
  expect(await send('DELETE', 'monitors/3')).toMatchObject({ status: 200, body: { id: 3, status: 'Accepted' } });
  await listOf('monitors', 0);
});

it('151. lists the monitors that a charger reports when it is asked', async () => {
  const { charger, list } = await open();
  charger.answer('GetMonitoringReport', ({ requestId }) => {
    const one = { id: 4, transaction: false, value: 60, type: 'Periodic', severity: 8 };
    const monitor = [{ ...POWER, variableMonitoring: [one] }];
    const part = { requestId, seqNo: 0, generatedAt: new Date().toISOString(), monitor };
    void charger.ask('NotifyMonitoringReport', part);
    return { status: 'Accepted' };
  });
  const refreshed = await list('monitors?refresh=true');
  expect(refreshed).toMatchObject({
    status: 'Accepted',
    items: [{ id: 4, type: 'Periodic', value: 60, eventNotificationType: null, commandId: null }],
  });
  expect(refreshed['listedAt']).not.toBeNull();
  charger.answer('GetMonitoringReport', () => ({ status: 'EmptyResultSet' }));
  expect(await list('monitors?refresh=true')).toMatchObject({ status: 'EmptyResultSet', totalRecords: 0 });
});

it('129. sets the base and the level of monitoring', async () => {
  const { charger, send, sent } = await shared();
  charger.answer('SetMonitoringBase', () => ({ status: 'Accepted' }));
  charger.answer('SetMonitoringLevel', () => ({ status: 'Rejected' }));
  expect(await send('PUT', 'monitoring', { base: 'FactoryDefault', level: 4 })).toMatchObject({
    status: 200,
    body: { base: { status: 'Accepted' }, level: { status: 'Rejected' } },
  });
  expect([sent('SetMonitoringBase'), sent('SetMonitoringLevel')]).toEqual([
    { monitoringBase: 'FactoryDefault' },
    { severity: 4 },
  ]);
  expect(await send('PUT', 'monitoring', { level: 9 })).toMatchObject({ body: { base: null } });
  expect(await send('PUT', 'monitoring', {})).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

it.each([
  ['/monitors/0/variable', { variable: 'nonsense' }],
  ['/monitors/0/type', { type: 'TargetDelta' }],
])('refuses a monitor that OCPP 2.0.1 cannot carry at %s', async (path, fields) => {
  const { send } = await shared();
  const monitor = { variable: 'EVSE@1.Power', type: 'Delta', value: 1, severity: 5, ...fields };
  expect(await send('POST', 'monitors', { monitors: [monitor] })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', errors: [{ path }] },
  });
});

let opened: ReturnType<typeof open> | undefined;
function shared(): ReturnType<typeof open> {
  opened ??= open();
  return opened;
}

it('has no display messages and no monitors in OCPP 1.6', async () => {
  const { send } = await open('ocpp1.6');
  const refused = { status: 409, body: { code: 'not_supported_by_version' } };
  expect(await send('GET', 'display-messages')).toMatchObject(refused);
  expect(await send('GET', 'display-messages?refresh=true')).toMatchObject(refused);
  expect(await send('POST', 'display-messages', MESSAGE)).toMatchObject(refused);
  expect(await send('DELETE', 'display-messages/1')).toMatchObject(refused);
  const monitor = { variable: 'EVSE@1.Power', type: 'Delta', value: 1, severity: 5 };
  expect(await send('GET', 'monitors')).toMatchObject(refused);
  expect(await send('GET', 'monitors?refresh=true')).toMatchObject(refused);
  expect(await send('POST', 'monitors', { monitors: [monitor] })).toMatchObject(refused);
  expect(await send('DELETE', 'monitors/1')).toMatchObject(refused);
  expect(await send('PUT', 'monitoring', { level: 1 })).toMatchObject(refused);
});
