// From a request to the session that it began, and back: one command through all services.
import { createId } from '@busbar/core';
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

type Items = { readonly items: readonly Readonly<Record<string, unknown>>[] };

const listed = async (path: string): Promise<Items['items']> => (await world.v2('GET', path)).json()['items'] as never;

it('correlates a session with its start, the command, the OCPP log and the log of the gateway', async () => {
  const { id, charger } = await world.connected();
  const rfidTag = createId().slice(-20);
  await world.v2('POST', '/tags', { idTag: rfidTag });
  const headers = { 'x-request-id': `start-${id}` };
  const path = `/chargers/${id}/start-charging`;
  const started = (await world.v2('POST', path, { socketId: 1, rfidTag }, headers)).json();
  const commandId = String(started['commandId']);
  const { transactionId } = await charger.start({ connectorId: 1, idTag: rfidTag, meterStart: 0 });
  const other = await charger.start({ connectorId: 2, idTag: 'ANOTHER', meterStart: 0 });
  expect(other['transactionId']).not.toBe(transactionId);

  expect(await listed(`/sessions?commandId=${commandId}`)).toMatchObject([{ transactionId, commandId }]);
  expect(await listed(`/sessions?commandId=${createId()}`)).toEqual([]);
  const requestId = headers['x-request-id'];
  const response = { status: 'Accepted' };
  const record = (await world.v2('GET', `/commands/${commandId}`)).json();
  expect(record).toMatchObject({ chargerId: id, operation: 'startCharging', requestId, outcome: 'answered', response });
  expect(record).toMatchObject({ request: { socketId: 1, rfidTag } });
  const [row] = await eventually(async () => {
    const rows = await listed(`/chargers/${id}/ocpp-logs?messageTypes=RemoteStartTransaction`);
    return rows.length > 0 ? rows : undefined;
  });
  expect(row).toMatchObject({ messageType: 'RemoteStartTransaction', commandId, requestId });
  const line = world.logger.lines.find(({ fields }) => fields['commandId'] === commandId);
  expect(line).toMatchObject({
    level: 'info',
    fields: { chargerId: id, requestId, action: 'RemoteStartTransaction', outcome: 'answered' },
  });
});

it('stores no command in a log row of an unsolicited message', async () => {
  const { id } = await world.connected();
  const [boot] = await eventually(async () => {
    const rows = await listed(`/chargers/${id}/ocpp-logs?messageTypes=BootNotification`);
    return rows.length > 0 ? rows : undefined;
  });
  expect(boot).toMatchObject({ commandId: null, requestId: null });
});

it('masks secrets in the record of a command', async () => {
  const { id, charger } = await world.connected();
  await charger.waitForCall('GetConfiguration');
  charger.answer('GetConfiguration', () => ({
    configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'very secret' }],
  }));
  const refreshed = await world.v2('GET', `/chargers/${id}/configuration?refresh=true`);
  const record = await world.v2('GET', `/commands/${String(refreshed.json()['commandId'])}`);
  expect(record.json()).toMatchObject({ operation: 'getConfiguration', outcome: 'answered' });
  expect(record.text).toContain('AuthorizationKey');
  expect(record.text).not.toContain('very secret');
});

it('records a command of the v1 API too, with an unchanged response', async () => {
  const { id } = await world.connected();
  const reply = await world.legacy('POST', `/charger/unlock/${id}/1`);
  expect(reply.json()).toEqual({ status: 'Unlocked' });
  const [row] = await eventually(async () => {
    const rows = await listed(`/chargers/${id}/ocpp-logs?messageTypes=UnlockConnector`);
    return rows.length > 0 ? rows : undefined;
  });
  const record = (await world.v2('GET', `/commands/${String(row?.['commandId'])}`)).json();
  expect(record).toMatchObject({
    operation: 'unlock',
    request: { socketId: 1 },
    outcome: 'answered',
    requestId: row?.['requestId'],
  });
});
