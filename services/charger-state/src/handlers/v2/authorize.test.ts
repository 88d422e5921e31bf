import { handle, RECEIVED_AT, secondsBefore, type Situation } from '../../testing/handler-situation';
import { authorize } from './authorize';
import { transactionEvent } from './transaction-event';

const answerTo = (idToken: string, situation: Situation = {}, type = 'Central') =>
  handle(authorize, { idToken: { idToken, type } }, situation).answer?.idTokenInfo;
const LATER = '2027-01-01T00:00:00.000Z';

describe('authorize', () => {
  it.each([
    ['Accepted', 'a tag that may charge', {}],
    ['Blocked', 'a blocked tag', { blocked: true }],
    ['Expired', 'an expired tag', { expiringDate: secondsBefore(1) }],
    ['NotAtThisTime', 'a tag that is not yet valid', { startDate: LATER }],
  ])('155. answers %s for %s', (status, _what, tag) => {
    expect(answerTo('TAG', { tags: [{ idTag: 'Tag', ...tag }] })?.status).toBe(status);
  });

  it('155. answers Unknown for a tag that the client does not have', () => {
    expect(answerTo('TAG')).toEqual({ status: 'Unknown' });
  });

  it('155. gives expiry and group of the tag', () => {
    const tags = [{ idTag: 'Tag', expiringDate: LATER, parentIdTag: 'Parent' }];
    expect(answerTo('TAG', { tags })).toEqual({
      status: 'Accepted',
      cacheExpiryDateTime: LATER,
      groupIdToken: { idToken: 'Parent', type: 'Central' },
    });
  });

  it('156. accepts no token at all where the client charges openly, else it is Invalid', () => {
    expect(answerTo('', {}, 'NoAuthorization')).toEqual({ status: 'Invalid' });
    expect(answerTo('', { openCharging: true }, 'NoAuthorization')).toEqual({ status: 'Accepted' });
  });

  it('156. accepts a token that the charger vouches for', () => {
    expect(answerTo('START-BUTTON', {}, 'Local')).toEqual({ status: 'Accepted' });
  });

  it.each([
    ['Accepted', 'endpoint', 'accepted', {}],
    ['Unknown', 'endpoint', 'unknown', { openCharging: true }],
    ['NotAtThisLocation', 'endpoint', 'not_allowed_here', {}],
    ['NoCredit', 'endpoint', 'no_credit', {}],
    ['Accepted', 'fallback', 'accepted', {}],
  ] as const)('answers %s where real-time authorization (%s) says %s', (status, source, verdict, situation) => {
    const report = { authorization: { source, verdict, tookMs: 12 } };
    const idToken = { idToken: 'TAG', type: 'Central' };
    const { answer, emitted } = handle(authorize, { idToken }, { ...situation, report });
    expect(answer?.idTokenInfo).toEqual({ status });
    expect(emitted).toMatchObject([{ data: { verdict, source, tookMs: 12 } }]);
  });

  it('gives expiry and group of real-time authorization, and lets an own tag count first', () => {
    const authorization = {
      source: 'endpoint',
      verdict: 'accepted',
      tookMs: 12,
      parentIdTag: 'P',
      expiresAt: LATER,
    } as const;
    const situation = { report: { authorization } };
    const groupIdToken = { idToken: 'P', type: 'Central' };
    expect(answerTo('TAG', situation)).toEqual({ status: 'Accepted', cacheExpiryDateTime: LATER, groupIdToken });
    expect(answerTo('TAG', { ...situation, tags: [{ blocked: true }] })).toEqual({ status: 'Blocked' });
  });

  it('announces the verdict', () => {
    const { emitted } = handle(authorize, { idToken: { idToken: 'T', type: 'Central' } });
    expect(emitted).toMatchObject([{ type: 'tag.checked', data: { rfidTag: 'T', verdict: 'unknown' } }]);
  });
});

describe('transactionEvent', () => {
  const event = {
    eventType: 'Started',
    timestamp: RECEIVED_AT,
    triggerReason: 'Authorized',
    seqNo: 0,
    transactionInfo: { transactionId: 'T' },
  };

  it('65. answers with the verdict on its token', () => {
    const { answer } = handle(transactionEvent, { ...event, idToken: { idToken: 'A', type: 'Central' } });
    expect(answer).toEqual({ idTokenInfo: { status: 'Unknown' } });
  });

  it('128. answers no verdict where it has no token', () => {
    expect(handle(transactionEvent, event).answer).toEqual({});
  });
});
