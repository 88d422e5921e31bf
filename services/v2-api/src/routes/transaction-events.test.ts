import { noRows } from '@busbar/domain/reports';
import type { TransactionEventRow } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (minute: number) => `2026-03-01T00:0${String(minute)}:00.000Z`;

const DEVICE = {
  id: 'T-1',
  key: 'key',
  evseId: 1,
  connectorId: 1,
  idTokenType: null,
  chargingState: 'Charging',
  timeSpentChargingS: null,
  startKnown: true,
  missingEvents: [],
  facts: {},
  revision: 1,
};

describe('the transaction events of a session', () => {
  let world: TestApp;

  beforeAll(async () => {
    world = await openApp();
    const { clientId } = world.own.client;
    const event = (seqNo: number, parts: Partial<TransactionEventRow>): TransactionEventRow => ({
      rowId: `e${String(seqNo)}`,
      chargerId: 'ACME_1',
      incarnationId: 'ACME_1-1',
      clientId,
      sessionId: 's1',
      receivedAt: at(9),
      seqNo,
      eventType: 'Updated',
      triggerReason: 'MeterValuePeriodic',
      chargingState: null,
      offline: false,
      timestamp: at(seqNo),
      ...parts,
    });
    await createReportStore(world.platform.store).write(
      {
        ...noRows(),
        sessions: [
          newSession({ transactionId: 1, clientId, device: DEVICE }),
          newSession({ transactionId: 2, clientId, device: { ...DEVICE, key: 'other' } }),
          newSession({ transactionId: 3, clientId }),
        ],
        transactionEvents: [
          event(2, { eventType: 'Ended', triggerReason: 'EVDeparted', offline: true }),
          event(0, { eventType: 'Started', triggerReason: 'Authorized' }),
          event(1, { triggerReason: 'ChargingStateChanged', chargingState: 'Charging' }),
        ],
      },
      [],
    );
  });

  afterAll(() => world.close());

  const started = {
    seqNo: 0,
    eventType: 'Started',
    triggerReason: 'Authorized',
    chargingState: null,
    offline: false,
    timestamp: at(0),
  };

  it('are listed in the order of their numbers, with these fields alone', async () => {
    const reply = await world.call('GET', '/sessions/1/events');
    expect(reply.json()).toMatchObject({ page: 1, totalRecords: 3, hasNextPage: false });
    expect(reply.json()['items']).toEqual([
      started,
      {
        ...started,
        seqNo: 1,
        eventType: 'Updated',
        triggerReason: 'ChargingStateChanged',
        chargingState: 'Charging',
        timestamp: at(1),
      },
      { ...started, seqNo: 2, eventType: 'Ended', triggerReason: 'EVDeparted', offline: true, timestamp: at(2) },
    ]);
  });

  it('have pages, also from the highest number', async () => {
    const page = (
      await world.call('GET', '/sessions/1/events?limit=2&page=2&sortKey=seqNo&sortDescending=true')
    ).json();
    expect(page).toMatchObject({ page: 2, limit: 2, totalRecords: 3, hasNextPage: false, hasPreviousPage: true });
    expect(page['items']).toEqual([started]);
  });

  it('are an empty list where none is stored', async () => {
    expect((await world.call('GET', '/sessions/2/events')).json()['items']).toEqual([]);
  });

  it('are refused for a session of OCPP 1.6', async () => {
    expect(codeOf(await world.call('GET', '/sessions/3/events'))).toBe('409 not_supported_by_version');
  });
});
