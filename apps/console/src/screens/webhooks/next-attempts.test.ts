import { withNextAttempt } from './next-attempts';

const LATER = '2026-01-31T12:00:05.000Z';

function attempt(id: string, eventId: string, nextAttemptAt: string | null) {
  return { id, eventId, nextAttemptAt };
}

describe('the next attempt of an event', () => {
  it.each([
    ['is that of each event', [attempt('2', 'a', LATER), attempt('1', 'b', LATER)], ['2', '1']],
    ['is that of its newest attempt', [attempt('2', 'a', LATER), attempt('1', 'a', LATER)], ['2']],
    ['is none where it was delivered since', [attempt('2', 'a', null), attempt('1', 'a', LATER)], []],
  ])('%s', (_, attempts, ids) => {
    expect([...withNextAttempt(attempts)]).toEqual(ids);
  });
});
