import { newSession } from '../testing/session';
import { awaitsMeter, isOpen, wasRefused, type Session } from './session';

const AT = '2026-01-01T12:00:00.000Z';

interface Facts {
  readonly refused: boolean;
  readonly awaitsMeter: boolean;
  readonly open: boolean;
}

describe('a session', () => {
  it.each<[string, Partial<Session>, Facts]>([
    ['in progress', {}, { refused: false, awaitsMeter: false, open: true }],
    ['in progress with an accepted tag', { verdict: 'accepted' }, { refused: false, awaitsMeter: false, open: true }],
    [
      'whose tag was refused',
      { state: 'refused', verdict: 'blocked' },
      { refused: true, awaitsMeter: false, open: true },
    ],
    [
      'that charges despite the refusal',
      { state: 'ongoing', verdict: 'unknown' },
      { refused: true, awaitsMeter: false, open: true },
    ],
    ['whose stop was lost', { state: 'superseded' }, { refused: false, awaitsMeter: false, open: true }],
    [
      'that its charger ended',
      { state: 'ended', endedBy: 'charger', endTime: AT, meterStop: 5 },
      { refused: false, awaitsMeter: false, open: false },
    ],
    [
      'that its operator ended',
      { state: 'ended', endedBy: 'operator', endTime: AT },
      { refused: false, awaitsMeter: true, open: false },
    ],
    [
      'that its operator ended, and its charger stopped with the meter at 0',
      { state: 'ended', endedBy: 'operator', endTime: AT, meterStop: 0 },
      { refused: false, awaitsMeter: false, open: false },
    ],
    [
      'that was refused and stopped',
      { state: 'refused', verdict: 'expired', endedBy: 'charger', endTime: AT, meterStop: 0 },
      { refused: true, awaitsMeter: false, open: false },
    ],
  ])('%s: whether its tag was refused, its meter reading is missing, and a stop ends it', (_title, part, facts) => {
    const session = newSession(part);
    expect({ refused: wasRefused(session), awaitsMeter: awaitsMeter(session), open: isOpen(session) }).toEqual(facts);
  });
});
