import { noRows } from '@busbar/domain/reports';
import { type Session } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const NO_END = { endTime: null, meterStop: null, consumptionWh: null, stopReason: null } as const;

const ACCEPTED = { verdict: 'accepted', authorizedBy: 'own' } as const;

describe('the authorization of a session', () => {
  let world: TestApp;

  beforeAll(async () => {
    world = await openApp();
    const { clientId } = world.own.client;
    const session = (transactionId: number, over: Partial<Session>) =>
      newSession({
        transactionId,
        clientId,
        startTime: day(transactionId),
        state: 'ended',
        endTime: day(transactionId),
        meterStop: 1,
        consumptionWh: 1,
        stopReason: 'Local',
        ...over,
      });
    const sessions = [
      session(1, ACCEPTED),
      session(2, { ...ACCEPTED, authorizedBy: 'open' }),
      session(3, { ...NO_END, ...ACCEPTED, state: 'refused', verdict: 'unknown' }),
      session(4, { ...NO_END, ...ACCEPTED, state: 'ongoing', verdict: 'in_use', chargerId: 'ACME_2' }),
      // As a session was stored before its verdict was.
      session(5, {}),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), sessions }, []);
  });
  afterAll(() => world.close());

  it.each([
    [1, 'ended', { status: 'accepted', reason: null, source: 'own' }],
    [2, 'ended', { status: 'accepted', reason: null, source: 'open' }],
    [3, 'refused', { status: 'refused', reason: 'unknown', source: 'own' }],
    [4, 'ongoing', { status: 'refused', reason: 'in_use', source: 'own' }],
    [5, 'ended', { status: 'accepted', reason: null, source: 'own' }],
  ])('is shown of session %i, which is %s', async (transactionId, state, authorization) => {
    const reply = await world.call('GET', `/sessions/${String(transactionId)}`);
    expect(reply.json()).toMatchObject({ state, authorization });
  });

  it.each([
    ['authorization=accepted', [5, 2, 1]],
    ['authorization=refused', [4, 3]],
    ['authorization=refused&sortKey=endTime', [3, 4]],
    ['authorization=refused&state=ongoing', [4]],
    ['authorization=refused&chargerIds=ACME_1,ACME_2', [4, 3]],
    ['authorization=accepted&search=tag', [5, 2, 1]],
    ['state=refused', [3]],
    ['state=ongoing', [4]],
  ])('narrows a list by %s', async (query, ids) => {
    const { items, totalRecords } = (await world.call('GET', `/sessions?${query}`)).json();
    expect((items as { transactionId: number }[]).map(({ transactionId }) => transactionId)).toEqual(ids);
    expect(totalRecords).toBe(ids.length);
  });

  it('rejects an unknown authorization', async () => {
    expect(codeOf(await world.call('GET', '/sessions?authorization=Invalid'))).toBe('400 invalid_request');
  });
});
