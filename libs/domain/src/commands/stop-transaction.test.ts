import { createFakeClock } from '@busbar/testing';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newSession } from '../testing/session';
import type { Session } from '../sessions/session';
import { readTransactionStatus, stopTransaction } from './stop-transaction';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const ENDED: Partial<Session> = { state: 'ended', endTime: '2026-01-01T00:30:00.000Z' };
const NOT_HERE = { code: 'not_found', message: 'There is no transaction 7 at the charger ACME_1.' };
const OVER = { code: 'transaction_ended', message: 'The transaction 7 has ended already.' };

/** Asks to stop transaction 7. */
function stop(session: Session | undefined, options: { readonly active?: boolean } = {}) {
  const { deps, calls } = open(session, options);
  return { calls, stopped: stopTransaction(deps, OWNER, 7, commandTo('RemoteStopTransaction')) };
}

function open(session: Session | undefined, options: { readonly active?: boolean } = {}) {
  const { calls, ...charger } = answeringCharger(options);
  const findByTransactions = (ids: readonly number[]) =>
    Promise.resolve(session !== undefined && ids.includes(session.transactionId) ? [session] : []);
  return { deps: { ...charger, clock: createFakeClock(), sessions: { findByTransactions } }, calls };
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

describe('asking about a transaction', () => {
  it.each<[string, Session | undefined, number | undefined]>([
    ['that has ended', newSession(ENDED), 7],
    ['of which none is named', undefined, undefined],
  ])('146. calls the charger for one %s', async (_title, session, transactionId) => {
    const { deps, calls } = open(session);
    await readTransactionStatus(deps, OWNER, transactionId, commandTo('GetTransactionStatus'));
    expect(calls).toMatchObject([{ action: 'GetTransactionStatus' }]);
  });

  it('146. refuses one of another charger', async () => {
    const { deps, calls } = open(newSession({ chargerId: 'ACME_2' }));
    const asked = readTransactionStatus(deps, OWNER, 7, commandTo('GetTransactionStatus'));
    await expect(asked).rejects.toMatchObject(NOT_HERE);
    expect(calls).toEqual([]);
  });
});
