import { createFakeClock } from '@busbar/testing';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newSession } from '../testing/session';
import type { Session } from '../sessions/session';
import { stopTransaction } from './stop-transaction';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const ENDED: Partial<Session> = { state: 'ended', endTime: '2026-01-01T00:30:00.000Z' };
const NOT_HERE = { code: 'not_found', message: 'There is no transaction 7 at the charger ACME_1.' };
const OVER = { code: 'transaction_ended', message: 'The transaction 7 has ended already.' };

/** Asks to stop transaction 7. */
function stop(session: Session | undefined, options: { readonly active?: boolean } = {}) {
  const { calls, ...charger } = answeringCharger(options);
  const findByTransactions = (ids: readonly number[]) =>
    Promise.resolve(session !== undefined && ids.includes(session.transactionId) ? [session] : []);
  const deps = { ...charger, clock: createFakeClock(), sessions: { findByTransactions } };
  return { calls, stopped: stopTransaction(deps, OWNER, 7, commandTo('RemoteStopTransaction')) };
}

describe('stopping a transaction', () => {
  it.each<[string, Partial<Session>]>([
    ['is ongoing', {}],
    ['was superseded without a stop', { state: 'superseded' }],
    ['was refused without a stop', { state: 'refused', verdict: 'blocked' }],
  ])('calls the charger for a session that %s', async (_title, part) => {
    const { calls, stopped } = stop(newSession(part));
    const { commandId, ...answer } = await stopped;
    expect(answer).toEqual({ status: 'Accepted' });
    expect(calls).toMatchObject([{ action: 'RemoteStopTransaction', commandId, requestId: 'request' }]);
  });

  it.each<[string, Session | undefined, object]>([
    ['an unknown transaction', undefined, NOT_HERE],
    ['a transaction of another charger', newSession({ chargerId: 'ACME_2' }), NOT_HERE],
    ['one of a deleted charger with the same id', newSession({ incarnationId: 'ACME_1-0' }), NOT_HERE],
    ['one that has ended', newSession(ENDED), OVER],
    ['one that its operator has ended', newSession({ ...ENDED, endedBy: 'operator' }), OVER],
    ['one that was refused and has ended', newSession({ ...ENDED, state: 'refused' }), OVER],
  ])('refuses %s, and does not call the charger', async (_title, session, refusal) => {
    const { calls, stopped } = stop(session);
    await expect(stopped).rejects.toMatchObject(refusal);
    expect(calls).toEqual([]);
  });

  it('131. does not look for the transaction of a disconnected charger', async () => {
    const { stopped } = stop(undefined, { active: false });
    await expect(stopped).rejects.toMatchObject({ code: 'charger_offline' });
  });
});
