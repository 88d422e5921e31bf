import { withNextAttempt } from './next-attempts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const LATER = '2026-01-31T12:00:05.000Z';

function attempt(id: string, eventId: string, nextAttemptAt: string | null) {
  return { id, eventId, nextAttemptAt };
}

describe('the next attempt of an event', () => {
  it.each([
    ['is still to come', [attempt('2', 'a', LATER), attempt('1', 'b', LATER)], ['2', '1']],
    ['is that of its newest attempt', [attempt('2', 'a', LATER), attempt('1', 'a', LATER)], ['2']],
    ['is none where it was delivered since', [attempt('2', 'a', null), attempt('1', 'a', LATER)], []],
    ['is past where a later one is on another page', [attempt('1', 'a', '2026-01-31T11:59:59.000Z')], []],
  ])('%s', (_, attempts, ids) => {
    expect([...withNextAttempt(attempts, NOW)]).toEqual(ids);
  });
});
