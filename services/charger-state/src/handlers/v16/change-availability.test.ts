import type { Availability, SocketAvailability } from '@busbar/domain/chargers';
import { answered, handle, RECEIVED_AT, unanswered } from '../../testing/handler-situation';
import { changeAvailabilityOutcome } from './change-availability';

type Shown = readonly [Availability | null, Availability | null];

/** The availability in force and the scheduled one, by socket. Set by a message at that position. */
const setAt = (position: readonly [number, number], shown: Readonly<Record<string, Shown>>) => {
  const entries = Object.entries(shown).map(([id, [inForce, scheduled]]): [string, SocketAvailability] => [
    id,
    { inForce, scheduled, at: RECEIVED_AT, position },
  ]);
  return { availability: Object.fromEntries(entries) };
};
type Change = readonly [connectorId: number, type: string, status: string];

const change = ([connectorId, type, status]: Change, reported = {}) =>
  handle(changeAvailabilityOutcome, answered<'ChangeAvailability'>({ connectorId, type }, { status }), { reported });

describe('the result of a ChangeAvailability', () => {
  it.each<[string, Change, Readonly<Record<string, Shown>>, Readonly<Record<string, Shown>>]>([
    ['sets a socket', [1, 'Inoperative', 'Accepted'], {}, { 1: ['Inoperative', null] }],
    [
      'keeps the other sockets',
      [1, 'Inoperative', 'Accepted'],
      { 2: ['Operative', null] },
      { 1: ['Inoperative', null], 2: ['Operative', null] },
    ],
    [
      'replaces all sockets by the whole charger',
      [0, 'Operative', 'Accepted'],
      { 1: ['Inoperative', null] },
      { 0: ['Operative', null] },
    ],
    ['schedules a change of an unknown state', [1, 'Inoperative', 'Scheduled'], {}, { 1: [null, 'Inoperative'] }],
    [
      'schedules a change of a known state',
      [1, 'Inoperative', 'Scheduled'],
      { 1: ['Operative', null] },
      { 1: ['Operative', 'Inoperative'] },
    ],
    [
      'schedules a change of a socket that has the state of the whole charger',
      [1, 'Inoperative', 'Scheduled'],
      { 0: ['Operative', null] },
      { 0: ['Operative', null], 1: ['Operative', 'Inoperative'] },
    ],
    [
      'schedules a change of the whole charger for each socket',
      [0, 'Inoperative', 'Scheduled'],
      { 2: ['Operative', null] },
      { 0: [null, 'Inoperative'], 2: ['Operative', 'Inoperative'] },
    ],
    [
      'replaces a scheduled change',
      [1, 'Operative', 'Accepted'],
      { 1: ['Operative', 'Inoperative'] },
      { 1: ['Operative', null] },
    ],
  ])('%s', (_, asked, known, after) => {
    const { charger } = change(asked, setAt([1, 4], known));
    const shown = Object.entries(charger.reported.availability ?? {}).map(([id, { inForce, scheduled }]) => [
      id,
      [inForce, scheduled],
    ]);
    expect(Object.fromEntries(shown)).toEqual(after);
  });

  it('has the time and the position of the result', () => {
    const { charger } = change([1, 'Operative', 'Accepted']);
    expect(charger.reported.availability?.['1']).toMatchObject({ at: RECEIVED_AT, position: [1, 5] });
  });

  it('keeps a socket that a later message has set', () => {
    const later = setAt([2, 1], { 1: ['Inoperative', null] });
    expect(change([0, 'Operative', 'Accepted'], later).charger.reported.availability).toMatchObject({
      0: { inForce: 'Operative' },
      1: { inForce: 'Inoperative' },
    });
  });

  it.each<[string, Change, object]>([
    ['that the charger rejected', [1, 'Operative', 'Rejected'], {}],
    ['with an unknown status', [1, 'Operative', 'Perhaps'], {}],
    ['to an unknown type', [1, 'Sometimes', 'Accepted'], {}],
    ['of a negative socket', [-1, 'Operative', 'Accepted'], {}],
    ['before that of a later message', [1, 'Operative', 'Accepted'], setAt([2, 1], { 1: ['Inoperative', null] })],
  ])('ignores a change %s', (_, asked, reported) => {
    const { charger, before } = change(asked, reported);
    expect(charger).toBe(before);
  });

  it.each([
    ['with an invalid request', answered<'ChangeAvailability'>(undefined, { status: 'Accepted' })],
    ['without a response', unanswered<'ChangeAvailability'>({ connectorId: 1, type: 'Operative' })],
  ])('ignores a CALL %s', (_, end) => {
    const { charger, before } = handle(changeAvailabilityOutcome, end);
    expect(charger).toBe(before);
  });
});
