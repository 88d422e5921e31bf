import { handle, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { authorize } from './authorize';

const remoteStart = (over = {}) => ({
  awaitedStarts: [{ commandId: 'command-1', idTagKey: 'tag', socketId: 1, at: secondsBefore(60), ...over }],
});
const pending = { report: { pendingStart: { rfidTag: 'TAG', socketId: 1 } } };

describe('authorize', () => {
  it.each<[string, string, Situation]>([
    ['Invalid', 'an unknown tag', {}],
    ['Invalid', 'a tag of another client', { tags: [{ clientId: 'other' }] }],
    ['Accepted', 'an unknown tag of a client that charges openly', { openCharging: true }],
    ['Accepted', 'a tag of the client', { tags: [{}] }],
    ['Accepted', 'a tag in another case', { tags: [{ idTag: 'tAG' }] }],
    ['Blocked', 'a blocked tag', { tags: [{ blocked: true }] }],
    ['Blocked', 'a blocked tag of a client that charges openly', { tags: [{ blocked: true }], openCharging: true }],
    ['Expired', 'an expired tag', { tags: [{ expiringDate: secondsBefore(1) }] }],
    ['Accepted', 'a tag that expires later', { tags: [{ expiringDate: secondsBefore(-1) }] }],
    ['Invalid', 'a tag that is not yet valid', { tags: [{ startDate: secondsBefore(-1) }] }],
    [
      'Accepted',
      'a tag whose session is ongoing elsewhere',
      { tags: [{}], sessions: [sessionWith({ chargerId: 'B', incarnationId: 'B-1' })] },
    ],
    ['Accepted', 'an unknown tag of a remote start', { reported: remoteStart() }],
    [
      'Accepted',
      'a tag that is not yet valid, of a remote start',
      { tags: [{ startDate: secondsBefore(-1) }], reported: remoteStart() },
    ],
    ['Accepted', 'an unknown tag of a remote start without a response', pending],
    ['Invalid', 'another tag than that of the remote start', { reported: remoteStart({ idTagKey: 'other' }) }],
    [
      'Invalid',
      'an unknown tag of a remote start of an hour ago',
      { reported: remoteStart({ at: secondsBefore(3600) }) },
    ],
    ['Blocked', 'a blocked tag of a remote start', { tags: [{ blocked: true }], reported: remoteStart() }],
    [
      'Expired',
      'an expired tag of a remote start',
      { tags: [{ expiringDate: secondsBefore(1) }], reported: remoteStart() },
    ],
  ])('61. answers %s for %s', (status, _, situation) => {
    const { answer, charger, before } = handle(authorize, { idTag: 'Tag' }, situation);
    expect(answer?.idTagInfo.status).toBe(status);
    expect(charger).toBe(before);
  });

  it.each([
    [
      'names the parent and the expiry of the tag',
      { parentIdTag: 'P', expiringDate: '2027-01-01T00:00:00.000Z' },
      { parentIdTag: 'P', expiryDate: '2027-01-01T00:00:00.000Z' },
    ],
    ['omits a parent that is too long for OCPP 1.6', { parentIdTag: 'P'.repeat(21) }, {}],
    ['names a parent of 20 characters', { parentIdTag: 'P'.repeat(20) }, { parentIdTag: 'P'.repeat(20) }],
  ])('%s', (_, tag, fields) => {
    const { answer } = handle(authorize, { idTag: 'Tag' }, { tags: [tag] });
    expect(answer).toEqual({ idTagInfo: { status: 'Accepted', ...fields } });
  });
});
