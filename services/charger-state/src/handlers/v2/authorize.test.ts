import type { CertificateFinding } from '@busbar/contracts';
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

  // The source is TC_C_39 and TC_C_47 to TC_C_49 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it('155. gives expiry and group of the tag', () => {
    const tags = [{ idTag: 'Tag', expiringDate: LATER, parentIdTag: 'Parent' }];
    expect(answerTo('TAG', { tags })).toEqual({
      status: 'Accepted',
      cacheExpiryDateTime: LATER,
      groupIdToken: { idToken: 'Parent', type: 'Central' },
    });
  });

  it.each([
    ['ocpp2.0.1', 36],
    ['ocpp2.1', 255],
  ])('154. gives, in %s, a group of up to %i characters', (ocppVersion, most) => {
    const groupOf = (length: number) => {
      const parentIdTag = 'P'.repeat(length);
      const authorization = { source: 'endpoint', verdict: 'accepted', tookMs: 12, parentIdTag } as const;
      const own = answerTo('TAG', { tags: [{ idTag: 'TAG', parentIdTag }], report: { ocppVersion } });
      const asked = answerTo('TAG', { report: { ocppVersion, authorization } });
      expect(asked).toEqual(own);
      return own?.groupIdToken?.idToken.length;
    };
    expect([most, most + 1].map(groupOf)).toEqual([most, undefined]);
  });

  it('154. answers Unknown, and nothing of the tag, for a token of another type than its tag', () => {
    const tags = [{ idTag: 'Tag', type: 'ISO14443', parentIdTag: 'Parent' }];
    expect(answerTo('TAG', { tags, openCharging: true }, 'KeyCode')).toEqual({ status: 'Unknown' });
    expect(answerTo('TAG', { tags }, 'ISO14443')?.status).toBe('Accepted');
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

  describe('a token with certificates', () => {
    const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'a', issuerKeyHash: 'b', serialNumber: '1' } as const;
    const iso15118CertificateHashData = [{ ...HASH, responderURL: 'http://ocsp.example.com/' }];
    const answerFor = (
      certificates: CertificateFinding | undefined,
      payload: object,
      tags: Situation['tags'] = [{}],
    ) => {
      const idToken = { idToken: 'TAG', type: 'eMAID' };
      const report = certificates === undefined ? {} : { certificates };
      return handle(authorize, { idToken, ...payload }, { tags, report });
    };

    it.each([
      ['CertificateRevoked', 'revoked'],
      ['CertificateExpired', 'expired'],
      ['SignatureError', 'signature_error'],
      ['CertChainError', 'chain_error'],
      ['NoCertificateAvailable', 'unavailable'],
    ] as const)(
      '165. is Invalid with %s where push found %s, also for a tag that may charge',
      (certificateStatus, verdict) => {
        const { answer, emitted } = answerFor({ kind: 'trust', verdict }, { iso15118CertificateHashData });
        expect(answer).toEqual({ idTokenInfo: { status: 'Invalid' }, certificateStatus });
        expect(emitted).toMatchObject([{ type: 'tag.checked', data: { rfidTag: 'TAG', verdict: 'unknown' } }]);
      },
    );

    it.each<[string, CertificateFinding | undefined]>([
      ['nothing is configured', { kind: 'none' }],
      ['its gateway does not ask', undefined],
    ])('165. is Invalid with NoCertificateAvailable where %s, by hashes and by a chain', (_title, finding) => {
      const expected = { idTokenInfo: { status: 'Invalid' }, certificateStatus: 'NoCertificateAvailable' };
      expect(answerFor(finding, { iso15118CertificateHashData }).answer).toEqual(expected);
      expect(answerFor(finding, { certificate: 'pem' }).answer).toEqual(expected);
    });

    it('165. has the verdict on its tag with Accepted where all certificates are good', () => {
      const found = { kind: 'trust', verdict: 'accepted' } as const;
      const statusOf = (tags: Situation['tags']) => answerFor(found, { iso15118CertificateHashData }, tags).answer;
      expect(statusOf([{}])).toMatchObject({ idTokenInfo: { status: 'Accepted' }, certificateStatus: 'Accepted' });
      expect(statusOf([{ blocked: true }])).toMatchObject({
        idTokenInfo: { status: 'Blocked' },
        certificateStatus: 'Accepted',
      });
      expect(statusOf([])).toMatchObject({ idTokenInfo: { status: 'Unknown' }, certificateStatus: 'Accepted' });
    });

    it('165. has no certificateStatus without certificates', () => {
      expect(answerFor(undefined, {}).answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    });
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

  it('154. begins no session that counts with a token of another type than its tag', () => {
    const tags = [{ idTag: 'A', type: 'ISO14443' }];
    const { answer } = handle(transactionEvent, { ...event, idToken: { idToken: 'A', type: 'KeyCode' } }, { tags });
    expect(answer).toEqual({ idTokenInfo: { status: 'Unknown' } });
  });

  it('128. answers no verdict where it has no token', () => {
    expect(handle(transactionEvent, event).answer).toEqual({});
  });
});
