import { noRows } from '@busbar/domain/reports';
import { type MeterValueRow, type Session } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import type { HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const day = (n: number, hour = 0) =>
  `2026-03-${String(n).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;

describe('sessions of the v2 API', () => {
  let world: TestApp;
  let siteId: number;

  const session = (transactionId: number, over: Partial<Session> = {}) =>
    newSession({
      transactionId,
      clientId: world.own.client.clientId,
      siteId,
      idTag: 'Tag1',
      startTime: day(transactionId),
      meterStart: 1000,
      state: 'ended',
      endTime: day(transactionId, 2),
      meterStop: 3500,
      consumptionWh: 2500,
      stopReason: 'Local',
      ...over,
    });

  const meterValues = (rowId: string, receivedAt: string): MeterValueRow => ({
    rowId,
    receivedAt,
    chargerId: 'ACME_1',
    incarnationId: 'i',
    clientId: world.own.client.clientId,
    socketId: 1,
    sessionId: 's1',
    payload: { connectorId: 1, transactionId: 1, meterValue: [{ sampledValue: [{ value: '7', extra: null }] }] },
  });

  beforeAll(async () => {
    world = await openApp();
    siteId = Number((await world.post('/sites', { name: 'Yard' })).json()['id']);
    const notEnded = {
      state: 'ongoing',
      endTime: null,
      meterStop: null,
      consumptionWh: null,
      stopReason: null,
    } as const;
    await createReportStore(world.platform.store).write(
      {
        ...noRows(),
        sessions: [
          session(1),
          session(2, { chargerId: 'ACME_2', idTag: 'ACME_2' }),
          session(3, { chargerId: 'BETA_1', siteId: 999_999 }),
          session(4, notEnded),
          // A session of another client: never shown, counted or found.
          session(5, { clientId: world.other.client.clientId, chargerId: 'ACME_9' }),
        ],
        meterValues: [
          meterValues('b', day(1, 1)),
          meterValues('a', day(1, 1)),
          meterValues('c', day(1)),
          { ...meterValues('d', day(1)), sessionId: 's5' },
        ],
      },
      [],
    );
  });

  afterAll(() => world.close());

  const idsOf = (reply: HttpReply) =>
    (reply.json()['items'] as { transactionId: number }[]).map(({ transactionId }) => transactionId);
  const list = async (query: string) => idsOf(await world.call('GET', `/sessions${query}`));

  it('shows the last use of a tag with the tag, in lists and after a change, from sessions of its client', async () => {
    await world.post('/tags', { idTag: 'tag1' });
    await world.post('/tags', { idTag: 'unused' });
    const items = (await world.call('GET', '/tags')).json()['items'] as Record<string, unknown>[];
    expect(items.map(({ idTag, lastUsedAt }) => [idTag, lastUsedAt])).toEqual([
      ['tag1', day(4)],
      ['unused', null],
    ]);
    const { updatedAt, ...tag } = (await world.call('GET', '/tags/TAG1')).json();
    expect(tag).toMatchObject({ lastUsedAt: day(4) });
    expect(String(updatedAt) > day(5)).toBe(true);
    const changed = await world.call('PATCH', '/tags/tag1', { body: { tokenName: 'Blue' } });
    expect(changed.json()).toMatchObject({ lastUsedAt: day(4) });
    const headers = { 'x-api-key': world.other.secret };
    const theirs = await world.call('POST', '/tags', { headers, body: { idTag: 'TAG1' } });
    expect(theirs.json()).toMatchObject({ lastUsedAt: day(5) });
  });

  it('172. shows all fields of a session, null where those of OCPP 2.x are not stored', async () => {
    expect((await world.call('GET', '/sessions/1')).json()).toEqual({
      transactionId: 1,
      chargerId: 'ACME_1',
      socketId: 1,
      rfidTag: 'Tag1',
      startTime: day(1),
      endTime: day(1, 2),
      meterStart: 1000,
      meterStop: 3500,
      consumptionWh: 2500,
      stopReason: 'Local',
      state: 'ended',
      endedBy: null,
      authorization: { status: 'accepted', reason: null, source: 'own' },
      startedOffline: false,
      startedBy: null,
      commandId: null,
      stopCommandId: null,
      siteId,
      siteName: 'Yard',
      updatedAt: expect.stringMatching(/Z$/) as string,
      deviceTransactionId: null,
      evseId: null,
      connectorId: null,
      idTokenType: null,
      chargingState: null,
      timeSpentChargingS: null,
      startKnown: null,
      missingEvents: null,
      chargingNeeds: null,
      chargingSchedule: null,
    });
    expect((await world.call('GET', '/sessions/4')).json()).toMatchObject({ endTime: null, state: 'ongoing' });
    expect((await world.call('GET', '/sessions/3')).json()).toMatchObject({ siteId: 999_999, siteName: '' });
  });

  it.each([
    ['', [4, 3, 2, 1]],
    ['?sortKey=startTime', [1, 2, 3, 4]],
    ['?sortKey=endTime&sortDescending=true', [3, 2, 1, 4]],
    [`?startTime=${day(2)}`, [4, 3, 2]],
    [`?startTime=${day(2)}&startTimeSearchEnd=${day(3)}`, [3, 2]],
    ['?startTime=2026-03-03T01:00:00%2B01:00', [4, 3]],
    [`?stopTimeSearchBegin=${day(2, 2)}`, [3, 2]],
    [`?stopTime=${day(2, 2)}`, [2, 1]],
    [`?stopTime=${day(2, 1)}`, [1]],
    ['?chargerIds=ACME_1', [4, 1]],
    ['?chargerIds=ACME_1,BETA_1', [4, 3, 1]],
    ['?chargerIds=ACME_2&chargerIds=BETA_1', [3, 2]],
    ['?chargerIds=ACME_9', []],
    ['?siteIds=999999', [3]],
    ['?rfidTags=aCME_2,nobody', [2]],
    ['?state=ongoing', [4]],
    ['?search=ACME_1', [4, 1]],
    ['?search=ACME', []],
    ['?search=TAG1', [4, 3, 1]],
    ['?search=TAG1&chargerIds=BETA_1,ACME_2', [3]],
    ['?chargerIds=ACME_1,ACME_2,BETA_1&rfidTags=tag1&limit=2', [4, 3]],
    ['?chargerIds=ACME_1,ACME_2,BETA_1&rfidTags=tag1,acme_2&limit=2&page=2', [2, 1]],
    ['?chargerIds=ACME_1,ACME_1,BETA_1&sortKey=endTime', [4, 1, 3]],
    ['?search=ACME_2', [2]],
    ['?search=2', [2]],
    ['?search=5', []],
    ['?search=AcME_1', []],
    ['?search=BETA_1&state=ongoing', []],
    ['?limit=2&page=2', [2, 1]],
  ])('lists by %s', async (query, ids) => {
    expect(await list(query)).toEqual(ids);
  });

  it('shows the position of a page in the list', async () => {
    const { items, ...place } = (await world.call('GET', '/sessions?limit=3&page=1')).json();
    expect(items).toHaveLength(3);
    expect(place).toMatchObject({ page: 1, limit: 3, totalRecords: 4, hasNextPage: true, hasPreviousPage: false });
    const last = (await world.call('GET', '/sessions?limit=3&page=2')).json();
    expect(last).toMatchObject({ totalRecords: 4, hasNextPage: false, hasPreviousPage: true });
    expect((await world.call('GET', '/sessions?page=9')).json()).toMatchObject({ items: [], totalRecords: 4 });
  });

  it('lists meter values as sent, one item a message, in order of receipt', async () => {
    const reply = await world.call('GET', '/sessions/1/meter-values?limit=2');
    const message = {
      connectorId: 1,
      transactionId: 1,
      meterValue: [{ sampledValue: [{ value: '7', extra: null }] }],
    };
    expect(reply.json()).toMatchObject({ totalRecords: 3, hasNextPage: true });
    expect(reply.json()['items']).toEqual([
      { receivedAt: day(1), socketId: 1, message },
      { receivedAt: day(1, 1), socketId: 1, message },
    ]);
    expect((await world.call('GET', '/sessions/4/meter-values')).json()['items']).toEqual([]);
  });

  it.each(['/sessions/5', '/sessions/5/meter-values', '/sessions/5/events', '/sessions/77', '/sessions/77/events'])(
    "answers %s, another client's or nobody's, with 404",
    async (path) => {
      expect(codeOf(await world.call('GET', path))).toBe('404 not_found');
    },
  );

  it.each([
    ['/sessions/0', '400 invalid_request', [':transactionId']],
    ['/sessions/x', '400 invalid_request', [':transactionId']],
    ['/sessions/1/meter-values?limit=0', '400 invalid_request', ['?limit']],
    ['/sessions/1/events?limit=101&sortKey=timestamp', '400 invalid_request', ['?limit', '?sortKey']],
    [
      '/sessions?startTime=yesterday&stopTime=7&limit=101&sortKey=colour&state=odd',
      '400 invalid_request',
      ['?limit', '?sortKey', '?startTime', '?stopTime', '?state'],
    ],
    ['/sessions?chargerIds=a%2Fb,ok', '400 invalid_charger_id', ['?chargerIds/0']],
    ['/sessions?siteIds=1,x', '400 invalid_site_id', ['?siteIds/1']],
    ['/sessions?startTime=2026-01-01T00:00:00Z&startTime=2026-01-02T00:00:00Z', '400 invalid_request', ['?startTime']],
  ])('rejects %s and lists every invalid parameter', async (path, code, paths) => {
    const reply = await world.call('GET', path);
    expect(codeOf(reply)).toBe(code);
    expect((reply.json()['errors'] as { path: string }[]).map((error) => error.path)).toEqual(paths);
  });
});
