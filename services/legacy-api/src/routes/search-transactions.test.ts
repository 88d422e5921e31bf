import { noRows } from '@busbar/domain/reports';
import { type Session } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import type { HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (day: number, time = '00:00:00') => `2026-03-${String(day).padStart(2, '0')}T${time}.000Z`;
const BEGINNING = { startTime: '2020-01-01T00:00:00Z' };

describe('the transaction search of the v1 (legacy) API', () => {
  let world: TestApp;
  let groupId: number;

  const session = (transactionId: number, over: Partial<Session> = {}) =>
    newSession({
      transactionId,
      clientId: world.own.client.clientId,
      siteId: groupId,
      socketId: 2,
      idTag: 'Tag1',
      startTime: at(transactionId),
      meterStart: 1000,
      state: 'ended',
      endTime: at(transactionId, '00:50:20'),
      meterStop: 3500,
      consumptionWh: 2500,
      stopReason: 'Local',
      ...over,
    });

  beforeAll(async () => {
    world = await openApp();
    groupId = Number((await world.post('/group/add', { name: 'Yard' })).json()['id']);
    const notEnded = {
      state: 'ongoing',
      endTime: null,
      meterStop: null,
      consumptionWh: null,
      stopReason: null,
    } as const;
    const sessions = [
      session(1, { endTime: at(9) }),
      session(2, { chargerId: 'ACME_2', idTag: 'OTHER' }),
      session(3, { siteId: 999_999 }),
      session(4, notEnded),
      session(5, { clientId: world.other.client.clientId }),
      session(6, { ...notEnded, state: 'refused', verdict: 'unknown' }),
      // It was refused, and its charger charged all the same.
      session(7, { startTime: at(30), endTime: at(30), idTag: 'DESPITE', verdict: 'unknown' }),
    ];
    const crowd = Array.from({ length: 1001 }, (_each, i) =>
      session(1000 + i, {
        startTime: `2027-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z`,
        endTime: '2027-01-02T00:00:00.000Z',
        idTagKey: 'crowd',
      }),
    );
    await createReportStore(world.platform.store).write({ ...noRows(), sessions: [...sessions, ...crowd] }, []);
  });

  afterAll(() => world.close());

  const search = (body: unknown) => world.post('/statistics/transactions', body);
  const results = (reply: HttpReply) => reply.json()['results'] as { transactionId: number; startTimeUTC: string }[];

  it('shows all fields of a transaction, and the known ones of one in progress', async () => {
    const [ended] = results(await search({ startTime: at(2), startTimeSearchEnd: at(2) }));
    expect(ended).toEqual({
      transactionId: 2,
      chargerId: 'ACME_2',
      socketId: 2,
      rfidTag: 'OTHER',
      startTimeUTC: at(2),
      endTimeUTC: at(2, '00:50:20'),
      meterStart: 1000,
      meterStop: 3500,
      consumptionWH: 2500,
      consumptionKWH: 2.5,
      transactionLengthMinutes: 50.33,
      stopReason: 'Local',
      groupId,
      groupName: 'Yard',
    });
    const [ongoing] = results(await search({ startTime: at(4), startTimeSearchEnd: at(4) }));
    expect(ongoing).toEqual({
      transactionId: 4,
      chargerId: 'ACME_1',
      socketId: 2,
      rfidTag: 'Tag1',
      startTimeUTC: at(4),
      endTimeUTC: '',
      meterStart: 1000,
      stopReason: '',
      groupId,
      groupName: 'Yard',
    });
  });

  it.each([
    ['the begin of the start', { startTime: at(2), startTimeSearchEnd: at(8) }, [2, 3, 4]],
    ['the end of the start, with an offset', { startTimeSearchEnd: '2026-03-02T02:00:00+02:00' }, [1, 2]],
    ['the stop, in the order of the stops', { stopTimeSearchBegin: at(1), stopTime: at(20) }, [2, 3, 1]],
    ['the end of the stop', { stopTime: at(2, '00:50:20') }, [2]],
    ['chargers', { startTimeSearchEnd: at(8), chargerIDs: ['ACME_2', 'NOBODY'] }, [2]],
    ['groups', { startTimeSearchEnd: at(8), groupIDs: [999_999] }, [3]],
    ['a tag that was refused, where the charger charged', { startTime: at(8), rfidTags: ['despite'] }, [7]],
    ['tags without case', { startTimeSearchEnd: at(8), rfidTags: ['oThEr'] }, [2]],
    [
      'empty lists, as by none',
      { startTimeSearchEnd: at(8), chargerIDs: [], groupIDs: [], rfidTags: [] },
      [1, 2, 3, 4],
    ],
    ['an empty list beside one that narrows', { startTimeSearchEnd: at(8), chargerIDs: ['ACME_2'], rfidTags: [] }, [2]],
    ['an unknown field, which is ignored', { startTimeSearchEnd: at(1), colour: 'red' }, [1]],
  ])('searches by %s', async (_what, body, ids) => {
    expect(results(await search(body)).map(({ transactionId }) => transactionId)).toEqual(ids);
  });

  it('returns the oldest thousand, so that the caller can continue from the last', async () => {
    const found = results(await search({ ...BEGINNING, rfidTags: ['crowd'] }));
    expect(found).toHaveLength(1000);
    expect(found.map(({ startTimeUTC }) => startTimeUTC)).toEqual(found.map(({ startTimeUTC }) => startTimeUTC).sort());
  });

  it('documents transactions that never get an end', () => {
    const { components, paths } = world.app.openApi as {
      components: { schemas: { Transaction: { properties: { endTimeUTC: { description: string } } } } };
      paths: Record<string, { delete: { description: string } }>;
    };
    expect(components.schemas.Transaction.properties.endTimeUTC.description).toMatch(/remains empty.*deleted/);
    expect(paths['/api/charger/{chargerId}']?.delete.description).toMatch(/in progress never gets an end/);
  });

  it("hides another client's transactions", async () => {
    const reply = await world.post('/statistics/transactions', BEGINNING, world.other);
    expect(results(reply).map(({ transactionId }) => transactionId)).toEqual([5]);
  });

  it.each([
    ['no criterion of time', { chargerIDs: ['ACME_1'] }, '400 invalid_request'],
    ['an invalid time', { startTime: '2026-02-30' }, '400 invalid_request'],
    ['a charger id that no charger can have', { ...BEGINNING, chargerIDs: ['a/b'] }, '400 invalid_charger_id'],
    ['a tag without a letter', { ...BEGINNING, rfidTags: [''] }, '400 invalid_request'],
    ['a group that is no number', { ...BEGINNING, groupIDs: ['x'] }, '400 invalid_group_id'],
    ['a text in place of a list', { ...BEGINNING, rfidTags: 'a' }, '400 invalid_request'],
    ['no object', [], '400 invalid_request'],
  ])('rejects %s', async (_what, body, code) => {
    expect(codeOf(await search(body))).toBe(code);
  });
});
