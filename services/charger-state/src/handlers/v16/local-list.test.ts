import type { DeviceState, LocalListEntry } from '@busbar/domain/device-state';
import { answered, handle, RECEIVED_AT, unanswered, type Situation } from '../../testing/handler-situation';
import { getLocalListVersionOutcome, sendLocalListOutcome } from './local-list';
import type { RequestOf } from './route';

type LocalList = NonNullable<DeviceState['localList']>;

const entry = (idTag: string, status = 'Accepted'): LocalListEntry => ({
  idTag,
  status,
  expiryDate: null,
  parentIdTag: null,
});
const listOf = (...idTags: string[]): LocalList => ({
  version: 1,
  entries: idTags.map((idTag) => entry(idTag)),
  isComplete: true,
  updatedAt: '2026-01-01T00:00:00.000Z',
  position: [1, 1],
  wholeAt: [1, 1],
});
const having = (localList: LocalList): Situation => ({ deviceState: { localList } });
const tag = (idTag: string, status = 'Accepted') => ({ idTag, idTagInfo: { status } });
const send = (request: Partial<RequestOf<'SendLocalList'>>, situation: Situation = {}, status = 'Accepted') =>
  handle(
    sendLocalListOutcome,
    answered<'SendLocalList'>({ listVersion: 2, updateType: 'Full', ...request }, { status }),
    situation,
  );
const reportVersion = (listVersion: number, situation: Situation = {}) =>
  handle(getLocalListVersionOutcome, answered<'GetLocalListVersion'>({}, { listVersion }), situation);

describe('the result of a SendLocalList', () => {
  it('stores the whole list as it was sent, with the time and the position', () => {
    const idTagInfo = { status: 'Blocked', expiryDate: '2027-01-01T00:00:00Z', parentIdTag: 'Family' };
    const { deviceState, charger, before, rows } = send({ localAuthorizationList: [{ idTag: 'A', idTagInfo }] });
    expect(deviceState.localList).toEqual({
      version: 2,
      entries: [{ idTag: 'A', ...idTagInfo }],
      isComplete: true,
      updatedAt: RECEIVED_AT,
      position: [1, 5],
      wholeAt: [1, 5],
    });
    expect(rows.deviceStates).toMatchObject([{ to: deviceState }]);
    expect(charger).toBe(before);
  });

  it.each<[string, Partial<RequestOf<'SendLocalList'>>, Situation, Partial<LocalList>]>([
    [
      'replaces the former list by a whole one',
      { localAuthorizationList: [tag('C')] },
      having(listOf('A', 'B')),
      { entries: [entry('C')], isComplete: true },
    ],
    ['empties the list by a whole one without tags', {}, having(listOf('A')), { entries: [], isComplete: true }],
    [
      'removes and adds tags by an update, in any case',
      { updateType: 'Differential', localAuthorizationList: [{ idTag: 'a' }, tag('b', 'Blocked'), tag('C')] },
      having(listOf('A', 'B')),
      { entries: [entry('b', 'Blocked'), entry('C')], isComplete: true },
    ],
    [
      'changes the version alone by an update without tags',
      { updateType: 'Differential' },
      having(listOf('A')),
      { entries: [entry('A')], isComplete: true },
    ],
    [
      'makes an incomplete list of an update of an unknown one',
      { updateType: 'Differential', localAuthorizationList: [tag('A')] },
      {},
      { entries: [entry('A')], isComplete: false },
    ],
  ])('%s', (_, request, situation, part) => {
    expect(send(request, situation).deviceState.localList).toMatchObject({ version: 2, ...part });
  });

  it.each([
    ['incomplete, where the charger had the update too', 'Differential', [1, 1] as const, false],
    ['as it is, where a whole one was sent since', 'Differential', [2, 1] as const, true],
  ])('leaves a later list %s', (_, updateType, wholeAt, isComplete) => {
    const later = { ...listOf('A'), position: [2, 1] as const, wholeAt };
    const { localList } = send({ updateType, localAuthorizationList: [tag('B')] }, having(later)).deviceState;
    expect(localList).toEqual({ ...later, isComplete });
  });
});

describe('the result of a GetLocalListVersion', () => {
  it.each<[string, number, Situation, Partial<LocalList>]>([
    ['keeps the list of that version', 1, having(listOf('A')), { entries: [entry('A')], isComplete: true }],
    ['has no entries of another version', 7, having(listOf('A')), { entries: [], isComplete: false }],
    ['has no entries of an unknown list', 7, {}, { entries: [], isComplete: false }],
    ['is complete for an empty list', 0, having(listOf('A')), { entries: [], isComplete: true }],
    ['is complete for a charger without a list', -1, {}, { entries: [], isComplete: true }],
  ])('%s', (_, version, situation, part) => {
    expect(reportVersion(version, situation).deviceState.localList).toMatchObject({
      version,
      position: [1, 5],
      ...part,
    });
  });

  it('changes no list of a later message', () => {
    const later = { ...listOf('A'), position: [2, 1] as const };
    expect(reportVersion(7, having(later)).deviceState.localList).toEqual(later);
  });
});

it.each([
  ['a SendLocalList that failed', send({}, {}, 'Failed')],
  ['a SendLocalList for another version', send({}, {}, 'VersionMismatch')],
  [
    'a SendLocalList without a response',
    handle(sendLocalListOutcome, unanswered<'SendLocalList'>({ listVersion: 2, updateType: 'Full' })),
  ],
  [
    'an invalid SendLocalList',
    handle(sendLocalListOutcome, answered<'SendLocalList'>(undefined, { status: 'Accepted' })),
  ],
  [
    'a GetLocalListVersion without a response',
    handle(getLocalListVersionOutcome, unanswered<'GetLocalListVersion'>({})),
  ],
  [
    'an invalid GetLocalListVersion',
    handle(getLocalListVersionOutcome, answered<'GetLocalListVersion'>(undefined, { listVersion: 7 })),
  ],
])('stores nothing for %s', (_, { rows, charger, before }) => {
  expect(rows.deviceStates).toEqual([]);
  expect(charger).toBe(before);
});
