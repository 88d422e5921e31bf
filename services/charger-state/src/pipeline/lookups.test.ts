// Which sessions the events of a batch may begin, and in which order they get their ids.
import type { NeededTransaction } from './contract';
import { createNeeds, startsOnDevices } from './lookups';

const EARLY = '2026-01-01T00:00:00.000Z';
const LATE = '2026-01-01T01:00:00.000Z';

const event = (key: string, over: Partial<NeededTransaction> = {}): NeededTransaction => ({
  key,
  sessionId: key,
  taker: undefined,
  ...over,
});
const started = (key: string, startTime: string) =>
  event(key, { startsAgain: { sessionId: `${key} of ${startTime}`, startTime } });
const ended = (key: string, endTime: string) => event(key, { endTime });

function begun(...events: readonly NeededTransaction[]): string[] {
  const needs = createNeeds();
  for (const each of events) needs.deviceTransaction(each);
  return startsOnDevices(needs.deviceTransactions, []).map(([sessionId]) => sessionId);
}

it('144. begins two sessions of an id whose end and next start come in one batch', () => {
  expect(begun(ended('K', EARLY), started('K', LATE))).toEqual(['K', `K of ${LATE}`]);
  expect(begun(started('K', LATE), ended('K', EARLY))).toEqual(['K']);
});

it('144. begins the sessions of a reused id and of another in the order of the batch', () => {
  const events = [started('K', EARLY), ended('K', EARLY), started('OTHER', EARLY), started('K', LATE)];
  expect(begun(...events)).toEqual(['K', `K of ${EARLY}`, 'OTHER', `K of ${LATE}`]);
});
