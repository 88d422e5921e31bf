import type { AuthorizationAnswer, AuthorizationRequest } from '@busbar/contracts';
import { createFakeClock } from '@busbar/testing';
import type { AuthorizationEndpoint } from '../real-time-authorization/authorization-endpoint';
import { newAuthorizationEndpoint } from '../testing/authorization-endpoint';
import { storedAuthorizationEndpoints } from '../testing/stored-authorization-endpoints';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newDeviceTransaction, newSession } from '../testing/session';
import { storedTags } from '../testing/stored-tags';
import { newTag } from '../testing/tag';
import type { Session } from '../sessions/session';
import type { Tag } from '../tags/tag';
import { startCharging, TAG_ERRORS } from './start-charging';

const NOW = '2026-02-01T00:00:00.000Z';
const LATER = '2026-03-01T00:00:00.000Z';
const OWNER = { clientId: 'client', chargerId: 'ACME_1' };

interface Situation {
  readonly active?: boolean;
  /** Absent: OCPP 1.6. */
  readonly ocppVersion?: 'ocpp2.0.1';
  readonly tag?: Tag;
  readonly ongoing?: readonly Session[];
  readonly evseId?: number;
  readonly endpoint?: AuthorizationEndpoint;
  /** Of services/push. */
  readonly answer?: AuthorizationAnswer;
}

const UNAVAILABLE: AuthorizationAnswer = { outcome: 'unavailable' };

function start(
  { active = true, ocppVersion, tag, ongoing = [], evseId, endpoint, answer = UNAVAILABLE }: Situation,
  validateRfid: boolean,
) {
  const asked: AuthorizationRequest[] = [];
  const { calls, ...charger } = answeringCharger({ active, ...(ocppVersion && { ocppVersion }) });
  const deps = {
    ...charger,
    clock: createFakeClock(new Date(NOW)),
    tags: storedTags(...(tag === undefined ? [] : [tag])),
    clients: { find: () => Promise.resolve(undefined) },
    sessions: { findOngoingByTags: () => Promise.resolve([...ongoing]) },
    authorizationEndpoints: storedAuthorizationEndpoints(...(endpoint === undefined ? [] : [endpoint])),
    authorizationLink: {
      ask: (request: AuthorizationRequest) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    },
  };
  const input = { socketId: 1, evseId, rfidTag: 'TAG', validateRfid };
  return { calls, asked, started: startCharging(deps, OWNER, input, commandTo('RemoteStartTransaction')) };
}

const GOOD: Situation = { tag: newTag() };
const UNKNOWN: Situation = {};
const BLOCKED: Situation = { tag: newTag({ blocked: true }) };
const EXPIRED: Situation = { tag: newTag({ expiringDate: NOW }) };
const EARLY: Situation = { tag: newTag({ startDate: LATER }) };
const IN_USE: Situation = { ...GOOD, ongoing: [newSession({ socketId: 2 })] };
const OTHER_CONNECTOR = newSession({ socketId: 102, device: newDeviceTransaction({ evseId: 1 }) });
const OTHER_AT_EVSE: Situation = { ...GOOD, evseId: 1, ongoing: [OTHER_CONNECTOR] };
const HERE: Situation = { ...GOOD, ongoing: [newSession({ socketId: 1 })] };

describe('starting to charge', () => {
  it.each<[string, Situation, boolean]>([
    ['an accepted tag', GOOD, false],
    ['an unknown tag', UNKNOWN, false],
    ['a tag that is not yet valid', EARLY, false],
    ['a tag in use at another socket', IN_USE, false],
    ['an accepted tag, validated', GOOD, true],
    ['a tag in use at the same socket, validated', HERE, true],
    ['a tag in use at the same EVSE, validated', { ...OTHER_AT_EVSE, ocppVersion: 'ocpp2.0.1' }, true],
  ])('61. calls the charger for %s', async (_title, situation, validateRfid) => {
    const { calls, started } = start(situation, validateRfid);
    const { commandId, ...answer } = await started;
    expect(answer).toEqual({ status: 'Accepted' });
    expect(calls).toMatchObject([{ action: 'RemoteStartTransaction', commandId, requestId: 'request' }]);
  });

  const blocked = { code: 'tag_blocked', message: 'This RFID tag is blocked.' };
  const expired = { code: 'tag_expired', message: 'This RFID tag has expired.' };
  const unknown = { code: 'tag_unknown', message: 'This RFID tag is unknown.' };
  const early = { code: 'tag_not_yet_valid', message: 'This RFID tag is not valid yet.' };
  const inUse = { code: 'tag_in_use', message: 'This RFID tag has a session in progress at another socket.' };
  const offline = { code: 'charger_offline', message: 'The charger ACME_1 is not connected.' };

  it.each<[string, Situation, boolean, object]>([
    ['a blocked tag', BLOCKED, false, blocked],
    ['an expired tag', EXPIRED, false, expired],
    ['a blocked tag, validated', BLOCKED, true, blocked],
    ['an expired tag, validated', EXPIRED, true, expired],
    ['an unknown tag, validated', UNKNOWN, true, unknown],
    ['a tag that is not yet valid, validated', EARLY, true, early],
    ['a tag in use at another socket, validated', IN_USE, true, inUse],
    ['a tag in use at the same EVSE of a charger of 1.6, validated', OTHER_AT_EVSE, true, inUse],
    ['a blocked tag at a disconnected charger', { ...BLOCKED, active: false }, true, offline],
  ])('61. refuses %s, and does not call the charger', async (_title, situation, validateRfid, refusal) => {
    const { calls, started } = start(situation, validateRfid);
    await expect(started).rejects.toMatchObject(refusal);
    expect(calls).toEqual([]);
  });

  const endpoint = newAuthorizationEndpoint();
  const judged = (verdict: 'accepted' | 'no_credit' | 'unknown'): AuthorizationAnswer => {
    return { outcome: 'judged', verdict, tookMs: 1, validForMs: 0 };
  };
  const failed = { outcome: 'failed', verdict: 'unknown', tookMs: 1, error: 'timeout' } as const;
  const ASKED: Situation = { endpoint, answer: judged('accepted') };

  it.each<[string, Situation]>([
    ['that its endpoint accepts', ASKED],
    ['without a verdict, where failures accept', { endpoint: { ...endpoint, onFailure: 'accept' }, answer: failed }],
    ['that nobody can ask about, where failures accept', { endpoint: { ...endpoint, onFailure: 'accept' } }],
    ['of the client', { ...GOOD, endpoint, answer: { outcome: 'own' } }],
  ])('calls the charger for a validated tag %s', async (_title, situation) => {
    const { calls, asked, started } = start(situation, true);
    await started;
    const question = { clientId: 'client', incarnationId: 'ACME_1-1', rfidTag: 'TAG', socketId: 1 };
    expect(asked).toMatchObject([{ ...question, action: 'remote_start' }]);
    expect(calls).toHaveLength(1);
  });

  it.each<[string, string, Situation]>([
    ['tag_refused', 'that its endpoint refuses', { endpoint, answer: judged('no_credit') }],
    ['tag_refused', 'that its endpoint does not know', { endpoint, answer: judged('unknown') }],
    ['unavailable', 'without a verdict, where failures refuse', { endpoint, answer: failed }],
    ['unavailable', 'that nobody can ask about, where failures refuse', { endpoint }],
    ['tag_in_use', 'that its endpoint accepts, in use', { ...ASKED, ongoing: [newSession({ socketId: 2 })] }],
    ['tag_blocked', 'of the client', { ...BLOCKED, endpoint, answer: { outcome: 'own' } }],
    ['tag_unknown', 'at a site without the endpoint', { ...ASKED, answer: { outcome: 'not_asked' } }],
  ])('refuses with %s a validated tag %s, and does not call the charger', async (code, _title, situation) => {
    const { calls, started } = start(situation, true);
    await expect(started).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  it.each<[string, Situation, boolean]>([
    ['without validation', ASKED, false],
    ['where the endpoint is disabled', { ...GOOD, endpoint: { ...endpoint, enabled: false } }, true],
    ['where the endpoint is for other sites', { ...GOOD, endpoint: { ...endpoint, siteIds: [9] } }, true],
  ])('asks no endpoint %s', async (_title, situation, validateRfid) => {
    const { asked, started } = start(situation, validateRfid);
    await started;
    expect(asked).toEqual([]);
  });

  it('lists the error of each verdict', () => {
    expect([...TAG_ERRORS].sort()).toEqual([
      ...['tag_blocked', 'tag_expired', 'tag_in_use', 'tag_not_yet_valid', 'tag_refused', 'tag_unknown'],
    ]);
  });
});
