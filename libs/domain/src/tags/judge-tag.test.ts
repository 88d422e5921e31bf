import { newSession } from '../testing/session';
import { newTag } from '../testing/tag';
import { authorizedStandingOf, judgeTag, standingOf } from './judge-tag';

const BEFORE = '2026-01-01T11:59:59.999Z';
const NOW = '2026-01-01T12:00:00.000Z';
const AFTER = '2026-01-01T12:00:00.001Z';

describe('the standing of a tag', () => {
  it.each([
    ['accepts a tag without a period', {}, 'accepted'],
    ['accepts a tag from its start date on', { startDate: NOW }, 'accepted'],
    ['accepts a tag before its expiring date', { expiringDate: AFTER }, 'accepted'],
    ['accepts a tag within its period', { startDate: BEFORE, expiringDate: AFTER }, 'accepted'],
    ['refuses a tag before its start date', { startDate: AFTER }, 'not_yet_valid'],
    ['refuses a tag from its expiring date on', { expiringDate: NOW }, 'expired'],
    ['refuses a blocked tag', { blocked: true }, 'blocked'],
    ['names the block of a tag that has expired too', { blocked: true, expiringDate: BEFORE }, 'blocked'],
    ['names the block of a tag that is not yet valid', { blocked: true, startDate: AFTER }, 'blocked'],
  ] as const)('%s', (_title, part, expected) => {
    expect(standingOf(newTag(part), false, NOW)).toBe(expected);
  });

  it.each([
    ['refuses an unknown tag', undefined, false, 'unknown'],
    ['accepts an unknown tag of a client with open charging', undefined, true, 'accepted'],
    ['refuses a blocked tag despite open charging', newTag({ blocked: true }), true, 'blocked'],
    ['refuses an expired tag despite open charging', newTag({ expiringDate: NOW }), true, 'expired'],
  ] as const)('%s', (_title, tag, openCharging, expected) => {
    expect(standingOf(tag, openCharging, NOW)).toBe(expected);
  });
});

describe('the standing of a tag with real-time authorization', () => {
  it.each([
    ['has the verdict of the endpoint where the tag is unknown', undefined, false, 'accepted', 'accepted'],
    ['refuses for a reason of the endpoint', undefined, false, 'no_credit', 'no_credit'],
    ['lets open charging not count', undefined, true, 'unknown', 'unknown'],
    ['lets an own tag count first', newTag({ blocked: true }), false, 'accepted', 'blocked'],
    ['accepts an own tag whatever the endpoint says', newTag(), false, 'blocked', 'accepted'],
  ] as const)('1. %s', (...[, tag, openCharging, authorization, expected]) => {
    expect(authorizedStandingOf({ tag, openCharging, authorization }, NOW)).toBe(expected);
  });
});

describe('the verdict on a start', () => {
  const place = { incarnationId: 'ACME_1-1', socketId: 1 };
  const here = newSession(place);
  const otherSocket = newSession({ transactionId: 8, socketId: 2 });
  const otherCharger = newSession({ transactionId: 9, chargerId: 'ACME_2' });
  const earlierCharger = newSession({ transactionId: 10, incarnationId: 'ACME_1-0' });
  const released = newSession({ transactionId: 11, socketId: 2, tagReleased: true });

  it.each([
    ['accepts a tag without an ongoing session', [], 'accepted'],
    ['accepts a tag whose ongoing session is at the same socket', [here], 'accepted'],
    ['accepts a tag whose session elsewhere released it', [released], 'accepted'],
    ['61. refuses a tag with an ongoing session at another socket', [otherSocket], 'in_use'],
    ['61. refuses a tag with an ongoing session at another charger', [otherCharger], 'in_use'],
    ['61. refuses a tag with a session of a deleted charger of the same id', [earlierCharger], 'in_use'],
    ['61. refuses a tag with one session here and one elsewhere', [here, released, otherSocket], 'in_use'],
  ] as const)('%s', (_title, ongoing, expected) => {
    expect(judgeTag({ tag: newTag(), openCharging: false, ongoing }, place, NOW)).toBe(expected);
  });

  it.each([
    ['145. accepts a tag whose session is at the other connector of the EVSE', 102, 1, 'accepted'],
    ['61. refuses a tag whose session is at another EVSE', 2, 2, 'in_use'],
    ['61. refuses a tag whose session at another socket has no EVSE yet', 102, null, 'in_use'],
  ] as const)('%s', (_title, socketId, evseId, expected) => {
    const ongoing = [{ ...place, socketId, device: { evseId } }];
    const start = { ...place, device: { evseId: 1 } };
    expect(judgeTag({ tag: newTag(), openCharging: false, ongoing }, start, NOW)).toBe(expected);
  });

  it.each([
    ['names the block of a tag that is in use too', newTag({ blocked: true }), false, 'blocked'],
    ['calls an unknown tag unknown though a session has it', undefined, false, 'unknown'],
    ['61. refuses an unknown tag in use despite open charging', undefined, true, 'in_use'],
  ] as const)('%s', (_title, tag, openCharging, expected) => {
    expect(judgeTag({ tag, openCharging, ongoing: [otherSocket] }, place, NOW)).toBe(expected);
  });

  it('61. refuses a tag in use that an endpoint accepted', () => {
    const known = { tag: undefined, openCharging: false, authorization: 'accepted', ongoing: [otherSocket] } as const;
    expect(judgeTag(known, place, NOW)).toBe('in_use');
  });
});

it.each([
  ['the type of its record', 'ISO14443', 'iso14443', 'accepted'],
  ['any type where its record has none', null, 'KeyCode', 'accepted'],
  ['no type (OCPP 1.6)', 'ISO14443', undefined, 'accepted'],
  ['another type', 'ISO14443', 'KeyCode', 'unknown'],
] as const)('154. a tag presented with %s is judged so', (_title, type, tokenType, expected) => {
  const tag = newTag({ type });
  expect(authorizedStandingOf({ tag, tokenType, openCharging: true }, NOW)).toBe(expected);
});
