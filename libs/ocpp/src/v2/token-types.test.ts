// The types and lengths of the tokens that our operations name.
import { isAppError } from '@busbar/core';
import { encodeOperation } from '../operations/encode';
import type { Operations } from '../operations/operation';

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

it.each([
  ['ocpp2.0.1', 'DirectPayment', 'Central'],
  ['ocpp2.1', 'DirectPayment', 'DirectPayment'],
  ['ocpp2.1', 'OwnType', 'OwnType'],
  ['ocpp2.1', 'iso14443', 'ISO14443'],
  ['ocpp2.1', null, 'Central'],
])('129. sends a charger of %s a tag of the type %s as %s, whatever the command', (version, type, expected) => {
  const ask = { requestId: 1, report: true, clear: false };
  const calls = [
    encodeOperation('startCharging', { rfidTag: 'TAG' }),
    encodeOperation('reserve', { reservationId: 1, rfidTag: 'TAG', expiresAt: '2026-01-31T12:00:00.000Z' }),
    encodeOperation('customerInformation', { ...ask, rfidTag: 'TAG' }),
  ].map((encode) => encode(version, { tag: { type, parentIdTag: null } }));
  const idToken = { idToken: 'TAG', type: expected };
  expect(calls.map((call) => call?.payload['idToken'])).toEqual([idToken, idToken, idToken]);
});

it('129. lists a tag by its type, else as one that readers read', () => {
  const tags = [{ rfidTag: 'A', type: 'eMAID' }, { rfidTag: 'B' }, { rfidTag: 'C', type: 'VIN' }];
  const call = encodeOperation('sendLocalList', { listVersion: 1, updateType: 'Differential', tags })('ocpp2.1');
  expect(call?.payload['localAuthorizationList']).toEqual([
    { idToken: { idToken: 'A', type: 'eMAID' } },
    { idToken: { idToken: 'B', type: 'ISO14443' } },
    { idToken: { idToken: 'C', type: 'VIN' } },
  ]);
});

describe.each([
  ['ocpp1.6', 20],
  ['ocpp2.0.1', 36],
  ['ocpp2.1', 255],
])('the tags of %s, of at most %i characters', (version, most) => {
  const fits = 'F'.repeat(most);
  const tooLong = 'L'.repeat(most + 1);
  const listOf = (...tags: Operations['sendLocalList']['input']['tags']) =>
    encodeOperation('sendLocalList', { listVersion: 1, updateType: 'Full', tags });
  const reserve = { reservationId: 1, expiresAt: '2026-01-31T12:00:00.000Z' };

  it.each([
    ['a remote start', encodeOperation('startCharging', { rfidTag: fits })],
    ['a reservation', encodeOperation('reserve', { ...reserve, rfidTag: fits, parentRfidTag: fits })],
    ['a local list', listOf({ rfidTag: fits, status: 'Accepted', parentRfidTag: fits })],
  ])('154. carries the longest tags and groups in %s', (_title, encode) => {
    expect(JSON.stringify(encode(version)?.payload)).toContain(`"${fits}"`);
  });

  it.each([
    ['a remote start', encodeOperation('startCharging', { rfidTag: tooLong }), ['/rfidTag']],
    [
      'a reservation',
      encodeOperation('reserve', { ...reserve, rfidTag: tooLong, parentRfidTag: tooLong }),
      ['/parentRfidTag', '/rfidTag'],
    ],
    [
      'a local list',
      listOf(
        { rfidTag: 'A', status: 'Accepted', parentRfidTag: tooLong },
        { rfidTag: tooLong, status: 'Accepted', inheritedParentRfidTag: tooLong },
      ),
      ['/tags/0/parentRfidTag', '/tags/1/rfidTag'],
    ],
  ])('154. refuses longer tags and groups at their paths in %s', (_title, encode, paths) => {
    const found = issuesOf(() => encode(version)) as readonly { readonly path: string; readonly message: string }[];
    expect(found.map(({ path }) => path).sort()).toEqual(paths);
    expect(new Set(found.map(({ message }) => message))).toEqual(
      new Set([`must have at most ${String(most)} characters`]),
    );
  });

  it('154. leaves out the longer group of a stored tag', () => {
    const sent = (parent: string) => {
      const started = encodeOperation('startCharging', { rfidTag: 'T' })(version, {
        tag: { type: null, parentIdTag: parent },
      });
      const listed = listOf({ rfidTag: 'T', status: 'Accepted', inheritedParentRfidTag: parent })(version);
      return [started, listed].map((call) => JSON.stringify(call?.payload).includes(parent));
    };
    // A remote start of 1.6 names no group.
    expect(sent(fits)).toEqual([version !== 'ocpp1.6', true]);
    expect(sent(tooLong)).toEqual([false, false]);
  });
});

it.each([
  ['ocpp2.0.1', 36],
  ['ocpp2.1', 255],
])('154. asks a charger of %s about a customer by a tag of up to %i characters', (version, most) => {
  const ask = (length: number) => () =>
    encodeOperation('customerInformation', { requestId: 1, report: true, clear: false, rfidTag: 'T'.repeat(length) })(
      version,
    );
  expect(ask(most)()).toMatchObject({ payload: { idToken: { idToken: 'T'.repeat(most) } } });
  expect(issuesOf(ask(most + 1))).toMatchObject([{ path: '/rfidTag' }]);
});

function issuesOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (isAppError(error, 'invalid_request')) return error.details['issues'];
    throw error;
  }
  return 'nothing was refused';
}
