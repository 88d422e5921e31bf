import { createId } from '@busbar/core';
import type { ChargerEvent } from '@busbar/domain/history';
import { noRows } from '@busbar/domain/reports';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (minute: number) => `2026-03-01T00:0${String(minute)}:00.000Z`;
const idAt = (minute: number) => createId(Date.parse(at(minute)));
const PROBLEM = {
  eventId: 12,
  timestamp: '2026-03-01T00:02:59Z',
  trigger: 'Alerting',
  actualValue: 'true',
  component: { name: 'Connector', evse: { id: 2, connectorId: 1 } },
  variable: { name: 'Problem' },
};

describe('the events of a charger', () => {
  let world: TestApp;
  let incarnationId: string;

  const event = (minute: number, over: Partial<ChargerEvent>): ChargerEvent => ({
    rowId: idAt(minute),
    chargerId: 'ACME_1',
    incarnationId,
    clientId: world.own.client.clientId,
    action: 'SecurityEventNotification',
    receivedAt: at(minute),
    payload: { type: 'InvalidCsr', timestamp: at(0) },
    ...over,
  });
  const notified = (minute: number, over: Partial<ChargerEvent>): ChargerEvent =>
    event(minute, { action: 'NotifyEvent', component: 'connector', payload: PROBLEM, ...over });

  beforeAll(async () => {
    world = await openApp();
    await world.post('/sites', { name: 'Yard' });
    await world.post('/chargers', { name: 'Gate', chargerId: 'ACME_1' });
    incarnationId = (await world.platform.records.chargers.find('ACME_1'))?.incarnationId ?? '';
    const events = [
      event(1, {}),
      event(2, { action: 'firmware.progressed', payload: { status: 'Installed' } }),
      notified(3, { severity: 4 }),
      notified(4, { component: 'tariffcostctrlr', severity: 0, payload: {} }),
      // Of an earlier charger with this id, perhaps of another client.
      event(5, { incarnationId: 'earlier' }),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), events }, []);
  });

  afterAll(() => world.close());

  const read = async (query: string) => (await world.call('GET', `/chargers/ACME_1/events${query}`)).json();

  it('have the parts of an event of NotifyEvent, which are null in the others', async () => {
    const [, problem, progress, security] = (await read(''))['items'] as unknown[];
    const absent = {
      component: null,
      instance: null,
      evseId: null,
      connectorId: null,
      variable: null,
      variableInstance: null,
      severity: null,
    };
    expect(problem).toMatchObject({
      ...absent,
      receivedAt: at(3),
      deviceTime: '2026-03-01T00:02:59Z',
      type: 'NotifyEvent',
      component: 'Connector',
      evseId: 2,
      connectorId: 1,
      variable: 'Problem',
      severity: 4,
      payload: PROBLEM,
    });
    expect(progress).toMatchObject({ ...absent, deviceTime: null, type: 'firmware.progressed' });
    expect(security).toMatchObject({ ...absent, deviceTime: at(0), type: 'SecurityEventNotification' });
  });

  it.each([
    ['', [4, 3, 2, 1]],
    ['?sortKey=receivedAt&sortDescending=false', [1, 2, 3, 4]],
    ['?component=CONNECTOR', [3]],
    ['?severity=4', [3]],
    ['?severity=0,4', [4, 3]],
    ['?severity=0&component=Connector', []],
    [`?from=${at(2)}&to=${at(4)}`, [3, 2]],
    ['?limit=2&page=2', [2, 1]],
  ])('are found by %j', async (query, minutes) => {
    const items = (await read(query))['items'] as { receivedAt: string }[];
    expect(items.map(({ receivedAt }) => receivedAt)).toEqual(minutes.map(at));
  });

  it("are counted, and hidden from others' clients", async () => {
    expect(await read('?limit=1')).toMatchObject({ totalRecords: 4, hasNextPage: true });
    const headers = { 'x-api-key': world.other.secret };
    expect(codeOf(await world.call('GET', '/chargers/ACME_1/events', { headers }))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', '/chargers/NOBODY/events'))).toBe('404 not_found');
  });

  it.each(['?severity=10', '?severity=high', '?from=x', '?component='])('refuse %s', async (query) => {
    expect(codeOf(await world.call('GET', `/chargers/ACME_1/events${query}`))).toBe('400 invalid_request');
  });
});
