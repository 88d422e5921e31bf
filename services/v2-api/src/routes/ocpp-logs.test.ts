import { createId } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { type LogRow } from '@busbar/domain/history';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (minute: number) => `2026-03-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const idAt = (minute: number) => createId(Date.parse(at(minute)));
/** Its CALL is recorded four minutes later. */
const COMMAND = idAt(0);

describe('the OCPP log of the v2 API', () => {
  let world: TestApp;
  let incarnationId: string;

  const row = (minute: number, over: Partial<LogRow> = {}): LogRow => ({
    rowId: idAt(minute),
    chargerId: 'ACME_1',
    incarnationId,
    ocppVersion: 'ocpp1.6',
    source: 'charger',
    action: 'Heartbeat',
    messageId: String(minute),
    at: at(minute),
    tookMs: 30,
    request: `[2,"${String(minute)}","Heartbeat",{}]`,
    response: `[3,"${String(minute)}",{"currentTime":"${at(minute)}"}]`,
    ...over,
  });

  const oursSent = createId(Date.parse('2026-03-01T00:02:55.500Z'));

  beforeAll(async () => {
    world = await openApp();
    await world.post('/sites', { name: 'Yard' });
    await world.post('/chargers', { name: 'Gate', chargerId: 'ACME_1' });
    incarnationId = (await world.platform.records.chargers.find('ACME_1'))?.incarnationId ?? '';
    const ours = { source: 'service', action: 'Reset', messageId: oursSent } as const;
    const sent = `[2,"${oursSent}","Reset",{"type":"Soft"}]`;
    const log = [
      row(1),
      row(2, { action: 'StatusNotification', request: '[2,"2","StatusNotification",{"connectorId":1,"info":"Näh%"}]' }),
      row(3, { ...ours, request: sent, response: `[3,"${oursSent}",{"status":"Accepted"}]` }),
      row(4, { ...ours, request: sent, response: '', commandId: COMMAND }),
      row(5, { action: 'Nonsense', response: '[4,"5","NotImplemented","Unknown action",{}]' }),
      row(6, { action: '', messageId: '', request: '{broken', response: '' }),
      // A message of an earlier charger with this id, perhaps of another client.
      row(7, { incarnationId: 'earlier' }),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), log }, []);
  });

  afterAll(() => world.close());

  const read = async (query: string) => (await world.call('GET', `/chargers/ACME_1/ocpp-logs${query}`)).json();
  const actions = async (query: string) =>
    ((await read(query))['items'] as { messageType: string }[]).map(({ messageType }) => messageType);

  it('joins each request with its response', async () => {
    const [, unknown, lost, reset, status] = (await read(''))['items'] as unknown[];
    const common = { ocppVersion: 'ocpp1.6', commandId: null, requestId: null };
    expect(status).toEqual({
      ...common,
      messageId: '2',
      messageType: 'StatusNotification',
      source: 'charger',
      requestTimestamp: at(2),
      responseTimestamp: '2026-03-01T00:02:00.030Z',
      request: { connectorId: 1, info: 'Näh%' },
      response: { currentTime: at(2) },
    });
    expect(reset).toEqual({
      ...common,
      messageId: oursSent,
      messageType: 'Reset',
      source: 'service',
      requestTimestamp: '2026-03-01T00:02:55.500Z',
      responseTimestamp: at(3),
      request: { type: 'Soft' },
      response: { status: 'Accepted' },
    });
    expect(lost).toMatchObject({ responseTimestamp: null, request: { type: 'Soft' }, response: null });
    const error = { errorCode: 'NotImplemented', errorDescription: 'Unknown action', errorDetails: {} };
    expect(unknown).toMatchObject({ messageType: 'Nonsense', response: error });
  });

  it('shows a frame that is not OCPP as text', async () => {
    expect((await read('?limit=1'))['items']).toMatchObject([{ request: '{broken', response: null }]);
  });

  it.each([
    ['', ['', 'Nonsense', 'Reset', 'Reset', 'StatusNotification']],
    ['?includeHeartbeats=true', ['', 'Nonsense', 'Reset', 'Reset', 'StatusNotification', 'Heartbeat']],
    ['?sortDescending=false&limit=1', ['StatusNotification']],
    ['?sortKey=requestTimestamp&limit=1', ['StatusNotification']],
    ['?messageTypes=Reset,StatusNotification', ['Reset', 'Reset', 'StatusNotification']],
    ['?messageTypes=Heartbeat', ['Heartbeat']],
    ['?messageTypes=Reset,Heartbeat&includeHeartbeats=false', ['Reset', 'Reset', 'Heartbeat']],
    ['?messageTypes=heartbeat&includeHeartbeats=true', []],
    ['?messageTypes=Heartbeat&includeHeartbeats=true', ['Heartbeat']],
    [`?startDate=${at(4)}`, ['', 'Nonsense', 'Reset']],
    [`?startDate=${at(3)}&endDate=${at(5)}`, ['Nonsense', 'Reset', 'Reset']],
    ['?search=accepted', ['Reset']],
    [`?commandId=${COMMAND}`, ['Reset']],
    [`?commandId=${COMMAND}&endDate=${at(3)}`, []],
    [`?commandId=${idAt(0)}`, []],
    ['?search=n%C3%A4h%25', ['StatusNotification']],
    ['?limit=2&page=2', ['Reset', 'Reset']],
  ])('finds by %s', async (query, found) => {
    expect(await actions(query)).toEqual(found);
  });

  it("counts matches and hides other clients'", async () => {
    expect(await read('?limit=2')).toMatchObject({ totalRecords: 5, hasNextPage: true });
    const headers = { 'x-api-key': world.other.secret };
    expect(codeOf(await world.call('GET', '/chargers/ACME_1/ocpp-logs', { headers }))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', '/chargers/NOBODY/ocpp-logs'))).toBe('404 not_found');
  });

  it('rejects an invalid timestamp and flag in one response', async () => {
    const reply = await world.call('GET', '/chargers/ACME_1/ocpp-logs?startDate=x&includeHeartbeats=maybe');
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect((reply.json()['errors'] as { path: string }[]).map(({ path }) => path)).toEqual([
      '?startDate',
      '?includeHeartbeats',
    ]);
  });

  it('marks a frame above 16 KiB as truncated with its length', async () => {
    const request = `[2,"8","DataTransfer",{"data":"aaa`;
    const cut = row(8, { action: 'DataTransfer', request, requestBytes: 240_000, incarnationId });
    await createReportStore(world.platform.store).write({ ...noRows(), log: [cut] }, []);
    const [shown, whole] = (await read('?messageTypes=DataTransfer,StatusNotification'))['items'] as unknown[];
    expect(shown).toMatchObject({ request, truncated: true, requestBytes: 240_000 });
    expect(shown).not.toHaveProperty('responseBytes');
    expect(whole).not.toHaveProperty('truncated');
  });
});
