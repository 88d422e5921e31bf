// The types of the tokens that our operations name.
import { encodeOperation } from '../operations/encode';

it.each([
  ['the type of its tag and its group', { type: 'ISO15693', parentIdTag: 'FLEET' }, 'ISO15693', 'FLEET'],
  ['its type in the spelling of the standard', { type: 'emaid', parentIdTag: null }, 'eMAID', undefined],
  ['Central where 2.0.1 has no such type', { type: 'DirectPayment', parentIdTag: null }, 'Central', undefined],
  ['Central where the tag has no type', { type: null, parentIdTag: null }, 'Central', undefined],
])('129. starts with a token of %s', (_title, tag, type, group) => {
  const call = encodeOperation('startCharging', { rfidTag: 'TAG' })('ocpp2.0.1', { tag });
  expect(call?.payload).toEqual({
    idToken: { idToken: 'TAG', type },
    remoteStartId: expect.any(Number) as number,
    ...(group === undefined ? {} : { groupIdToken: { idToken: group, type: 'Central' } }),
  });
});

it('129. lists a tag by its type, else as one that readers read', () => {
  const tags = [{ rfidTag: 'A', type: 'eMAID' }, { rfidTag: 'B' }];
  const call = encodeOperation('sendLocalList', { listVersion: 1, updateType: 'Differential', tags })('ocpp2.1');
  expect(call?.payload['localAuthorizationList']).toEqual([
    { idToken: { idToken: 'A', type: 'eMAID' } },
    { idToken: { idToken: 'B', type: 'ISO14443' } },
  ]);
});
