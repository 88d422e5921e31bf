import { noRows } from '@busbar/domain/reports';
import { type Session } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const AT = '2026-03-01T00:00:00.000Z';

describe('POST /sessions/:transactionId/end', () => {
  let world: TestApp;

  beforeAll(async () => {
    world = await openApp();
    const { clientId } = world.own.client;
    const session = (transactionId: number, over: Partial<Session> = {}) =>
      newSession({ transactionId, clientId, verdict: 'accepted', authorizedBy: 'own', ...over });
    const ended = { state: 'ended', endTime: AT, meterStop: 1, consumptionWh: 1, endedBy: 'charger' } as const;
    const sessions = [
      session(1),
      session(2),
      session(3, ended),
      session(4, { clientId: world.other.client.clientId }),
      session(5, { state: 'superseded' }),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), sessions }, []);
  });
  afterAll(() => world.close());

  const end = (transactionId: number, body: unknown = {}) => world.post(`/sessions/${String(transactionId)}/end`, body);

  it('ends a session permanently with the reason of its operator', async () => {
    const reply = await end(1, { reason: 'The charger was replaced.' });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      transactionId: 1,
      state: 'ended',
      endedBy: 'operator',
      stopReason: 'The charger was replaced.',
      meterStop: null,
      consumptionWh: null,
      endTime: expect.any(String) as string,
    });
    expect((await world.call('GET', '/sessions/1')).json()).toEqual(reply.json());
    expect(codeOf(await end(1))).toBe('409 conflict');
  });

  it('works without a reason, also for a superseded session', async () => {
    expect((await end(2)).json()).toMatchObject({ endedBy: 'operator', stopReason: null });
    expect((await end(5)).json()).toMatchObject({ state: 'ended', endedBy: 'operator' });
  });

  it.each([
    [3, {}, '409 conflict'],
    [4, {}, '404 not_found'],
    [99, {}, '404 not_found'],
    [2, { reason: 7 }, '400 invalid_request'],
    [2, { colour: 'red' }, '400 invalid_request'],
  ])('rejects session %i with %j by %s', async (transactionId, body, code) => {
    expect(codeOf(await end(transactionId, body))).toBe(code);
  });
});
