// What charger-state makes of the verdict in an envelope.
import type { EnvelopeAuthorization } from '@busbar/contracts';
import { handle, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { authorize } from './authorize';
import { startTransaction } from './start-transaction';
import { stopTransaction } from './stop-transaction';

type Verdict = EnvelopeAuthorization['verdict'];

const from = (source: EnvelopeAuthorization['source'], verdict: Verdict, over = {}): Situation => ({
  report: { authorization: { source, verdict, tookMs: source === 'own' ? null : 12, ...over } },
});
const REMOTE_START = {
  awaitedStarts: [{ commandId: 'command-1', idTagKey: 'tag', socketId: 1, at: secondsBefore(60) }],
};
const START = { connectorId: 1, idTag: 'Tag', meterStart: 5, timestamp: secondsBefore(1) };

describe('Authorize with a verdict in its envelope', () => {
  it.each<[string, string, string, number | null, string, Situation]>([
    ['Accepted', 'accepted', 'endpoint', 12, 'an unknown tag that the endpoint accepts', from('endpoint', 'accepted')],
    ['Invalid', 'unknown', 'endpoint', 12, 'an unknown tag that it does not know', from('endpoint', 'unknown')],
    ['Blocked', 'blocked', 'endpoint', 12, 'an unknown tag that it blocks', from('endpoint', 'blocked')],
    ['Expired', 'expired', 'endpoint', 12, 'an unknown tag that has expired there', from('endpoint', 'expired')],
    ['Blocked', 'no_credit', 'endpoint', 12, 'an unknown tag without credit', from('endpoint', 'no_credit')],
    ['Blocked', 'not_allowed_here', 'endpoint', 12, 'an unknown tag elsewhere', from('endpoint', 'not_allowed_here')],
    ['Accepted', 'accepted', 'fallback', 12, 'an unknown tag without an answer', from('fallback', 'accepted')],
    ['Invalid', 'unknown', 'fallback', 12, 'the same where failures refuse', from('fallback', 'unknown')],
    ['Accepted', 'accepted', 'endpoint', null, 'a kept verdict', from('endpoint', 'accepted', { tookMs: null })],
    ['Accepted', 'accepted', 'own', null, 'an own tag', { ...from('own', 'unknown'), tags: [{}] }],
    ['Blocked', 'blocked', 'own', null, 'an own tag', { ...from('endpoint', 'accepted'), tags: [{ blocked: true }] }],
    ['Invalid', 'unknown', 'own', null, 'an own tag that is deleted meanwhile', from('own', 'unknown')],
    ['Invalid', 'unknown', 'endpoint', 12, 'open charging', { ...from('endpoint', 'unknown'), openCharging: true }],
    ['Accepted', 'accepted', 'own', null, 'an order', { ...from('endpoint', 'unknown'), reported: REMOTE_START }],
    ['Accepted', 'accepted', 'own', null, 'an order', { ...from('endpoint', 'no_credit'), reported: REMOTE_START }],
    ['Blocked', 'blocked', 'endpoint', 12, 'an order', { ...from('endpoint', 'blocked'), reported: REMOTE_START }],
  ])('answers %s (%s, %s, %s ms) for %s', (...[status, verdict, source, tookMs, , situation]) => {
    const { answer, emitted } = handle(authorize, { idTag: 'Tag' }, situation);
    expect(answer?.idTagInfo.status).toBe(status);
    expect(emitted).toEqual([{ type: 'tag.checked', data: { rfidTag: 'Tag', verdict, source, tookMs } }]);
  });

  it('answers the parent and the expiry that the endpoint gives, for an unknown tag', () => {
    const given = { parentIdTag: 'P', expiresAt: '2027-01-01T00:00:00.000Z' };
    const situation = from('endpoint', 'accepted', given);
    const { answer } = handle(authorize, { idTag: 'Tag' }, situation);
    expect(answer?.idTagInfo).toEqual({ status: 'Accepted', parentIdTag: 'P', expiryDate: given.expiresAt });
    const own = handle(authorize, { idTag: 'Tag' }, { ...situation, tags: [{}] });
    expect(own.answer?.idTagInfo).toEqual({ status: 'Accepted' });
    const long = handle(authorize, { idTag: 'Tag' }, from('endpoint', 'accepted', { parentIdTag: 'P'.repeat(21) }));
    expect(long.answer?.idTagInfo).toEqual({ status: 'Accepted' });
  });
});

describe('StartTransaction with a verdict in its envelope', () => {
  it.each<[string, string, string, Situation]>([
    ['Accepted', 'endpoint', 'the acceptance of the endpoint', from('endpoint', 'accepted')],
    ['Accepted', 'fallback', 'the acceptance without an answer', from('fallback', 'accepted')],
    ['Accepted', 'own', 'an own tag', { ...from('endpoint', 'blocked'), tags: [{}] }],
    ['Accepted', 'remote_start', 'an order', { ...from('fallback', 'unknown'), reported: REMOTE_START }],
  ])('begins a session (%s by %s) for %s', (...[status, authorizedBy, , situation]) => {
    const { answer, rows } = handle(startTransaction, START, situation);
    expect(answer?.idTagInfo.status).toBe(status);
    expect(rows.sessions).toMatchObject([{ state: 'ongoing', verdict: 'accepted', authorizedBy }]);
  });

  it.each<[string, Verdict, string, Situation]>([
    ['Blocked', 'no_credit', 'endpoint', from('endpoint', 'no_credit')],
    ['Invalid', 'unknown', 'fallback', from('fallback', 'unknown')],
    ['Invalid', 'unknown', 'endpoint', { ...from('endpoint', 'unknown'), openCharging: true }],
  ])('53. refuses with a transaction id (%s, %s by %s)', (...[status, verdict, authorizedBy, situation]) => {
    const { answer, rows, emitted } = handle(startTransaction, START, situation);
    expect(answer).toMatchObject({ transactionId: 77, idTagInfo: { status } });
    expect(rows.sessions).toMatchObject([{ state: 'refused', verdict, authorizedBy, transactionId: 77 }]);
    expect(emitted.map(({ type }) => type)).toEqual(['session.started']);
  });

  it('61. refuses a tag in use that the endpoint accepts', () => {
    const elsewhere = sessionWith({ chargerId: 'B', incarnationId: 'B-1' });
    const situation = { ...from('endpoint', 'accepted'), sessions: [elsewhere] };
    const { answer, rows } = handle(startTransaction, START, situation);
    expect(answer?.idTagInfo.status).toBe('ConcurrentTx');
    expect(rows.sessions).toMatchObject([{ verdict: 'in_use', authorizedBy: 'own' }]);
  });

  it('is judged the same by a redelivery, whatever its envelope would say by then', () => {
    const first = handle(startTransaction, START, from('endpoint', 'accepted'));
    const again = handle(startTransaction, START, { ...from('endpoint', 'accepted'), sessions: first.rows.sessions });
    expect(again.answer).toEqual(first.answer);
    const sentAgain = handle(startTransaction, START, {
      ...from('fallback', 'unknown'),
      sessions: first.rows.sessions,
    });
    expect(sentAgain.answer?.idTagInfo.status).toBe('Accepted');
  });
});

describe('StopTransaction of a session that the endpoint accepted', () => {
  const stop = { transactionId: 1, meterStop: 9, timestamp: secondsBefore(1) };
  const session = sessionWith({ transactionId: 1, authorizedBy: 'endpoint', verdict: 'accepted' });
  const answered = (idTag: string, situation: Situation) =>
    handle(stopTransaction, { ...stop, idTag }, situation).answer?.idTagInfo?.status;

  it.each([
    ['Accepted', 'its own tag', session.idTag, {}],
    ['Invalid', 'another unknown tag', 'Another', {}],
    [
      'Blocked',
      'its tag that the client has by now',
      session.idTag,
      { tags: [{ idTag: session.idTag, blocked: true }] },
    ],
  ])('is answered %s for %s', (status, _title, idTag, situation) => {
    expect(answered(idTag, { ...situation, sessions: [session] })).toBe(status);
  });

  it('is judged as ever without an endpoint', () => {
    expect(answered(session.idTag, { sessions: [{ ...session, authorizedBy: 'open' }] })).toBe('Invalid');
  });
});
