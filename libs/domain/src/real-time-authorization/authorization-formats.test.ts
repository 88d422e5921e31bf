import { authorizationRequest, endpointResultOf, type EndpointResult, type TagQuestion } from './authorization-formats';

const QUESTION: TagQuestion = { chargerId: 'ACME_1', siteId: 3, socketId: 2, rfidTag: '04aB', action: 'start' };
const TIMES = { at: new Date('2026-01-01T12:00:00Z'), deadline: new Date('2026-01-01T12:00:03Z') };
const ok = (fields: unknown) => ({ status: 200, body: JSON.stringify(fields), truncated: false });

describe('the request to an authorization endpoint', () => {
  it('has charger and tag in the push format', () => {
    expect(JSON.parse(authorizationRequest('push', QUESTION, TIMES))).toEqual({
      charger_id: 'ACME_1',
      rfid_tag_id: '04aB',
    });
  });

  it('has all facts and the deadline in the standard format', () => {
    expect(JSON.parse(authorizationRequest('standard', QUESTION, TIMES))).toEqual({
      type: 'tag.authorize',
      timestamp: '2026-01-01T12:00:00.000Z',
      data: { ...QUESTION, deadline: '2026-01-01T12:00:03.000Z' },
    });
  });
});

describe('the response of an authorization endpoint', () => {
  it.each<[unknown, EndpointResult]>([
    [{ allowed: true }, { verdict: 'accepted' }],
    [{ allowed: true, reason: 'blocked' }, { verdict: 'accepted' }],
    [{ allowed: false, reason: 'unknown' }, { verdict: 'unknown' }],
    [{ allowed: false, reason: 'blocked' }, { verdict: 'blocked' }],
    [{ allowed: false, reason: 'expired' }, { verdict: 'expired' }],
    [{ allowed: false, reason: 'not_allowed_here' }, { verdict: 'not_allowed_here' }],
    [{ allowed: false, reason: 'no_credit' }, { verdict: 'no_credit' }],
    [{ allowed: false, reason: 'another' }, { verdict: 'unknown' }],
    [{ allowed: false, reason: 'constructor' }, { verdict: 'unknown' }],
    [{ allowed: false, reason: 7 }, { verdict: 'unknown' }],
    [{ allowed: false }, { verdict: 'unknown' }],
    [
      { allowed: true, parentIdTag: 'P', expiresAt: '2026-01-01T13:00:00+01:00', validForS: 5 },
      { verdict: 'accepted', parentIdTag: 'P', expiresAt: '2026-01-01T12:00:00.000Z', validForS: 5 },
    ],
    [
      { allowed: true, parentIdTag: 'P'.repeat(255) },
      { verdict: 'accepted', parentIdTag: 'P'.repeat(255) },
    ],
    [{ allowed: true, parentIdTag: 'P'.repeat(256), expiresAt: 'tomorrow', validForS: -1 }, { verdict: 'accepted' }],
    [{ allowed: true, parentIdTag: '', expiresAt: 7, validForS: '5' }, { verdict: 'accepted' }],
    [{ allowed: 'true' }, { error: 'no_verdict' }],
    [{ charging_allowed: true }, { error: 'no_verdict' }],
    [[], { error: 'no_verdict' }],
    [null, { error: 'no_json' }],
    ['true', { error: 'no_json' }],
  ])('means, in the standard format, for %j: %j', (fields, expected) => {
    expect(endpointResultOf('standard', ok(fields))).toEqual(expected);
  });

  it.each<[unknown, EndpointResult]>([
    [{ charging_allowed: true, rfid_tag_type: 'guest' }, { verdict: 'accepted' }],
    [{ charging_allowed: false, reason: 'EXPIRED_RFID_TAG_ID' }, { verdict: 'expired' }],
    [{ charging_allowed: false, reason: 'UNAUTHORIZED_RFID_TAG_ID' }, { verdict: 'blocked' }],
    [{ charging_allowed: false, reason: 'UNKNOWN_CHARGER_ID' }, { verdict: 'unknown' }],
    [{ charging_allowed: false, reason: 'UNKNOWN_RFID_TAG_ID' }, { verdict: 'unknown' }],
    [{ charging_allowed: false, reason: 'blocked' }, { verdict: 'unknown' }],
    [{ charging_allowed: false }, { verdict: 'unknown' }],
    [{ charging_allowed: 1 }, { error: 'no_verdict' }],
    [{ allowed: true }, { error: 'no_verdict' }],
  ])('means, in the push format, for %j: %j', (fields, expected) => {
    expect(endpointResultOf('push', ok(fields))).toEqual(expected);
  });

  it.each([
    ['http_201', { ...ok({ allowed: true }), status: 201 }],
    ['http_500', { ...ok({ allowed: true }), status: 500 }],
    ['redirect', { ...ok({ allowed: true }), status: 307 }],
    ['too_large', { ...ok({ allowed: true }), truncated: true }],
    ['no_json', { status: 200, body: '{"allowed":true', truncated: false }],
    ['no_json', { status: 200, body: '', truncated: false }],
  ])('is the failure %s without a verdict', (error, response) => {
    expect(endpointResultOf('standard', response)).toEqual({ error });
  });
});
