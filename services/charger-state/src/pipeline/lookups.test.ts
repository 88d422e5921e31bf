// Which sessions the events of a batch may begin, and in which order they get their ids.
import type { Session } from '@busbar/domain/sessions';
import { newSession } from '@busbar/domain/testing';
import { sendAll, STARTED } from '../testing/stored-transactions';
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
const ended = (key: string, endTime: string) =>
  event(key, { endTime, startsAgain: { sessionId: `${key} to ${endTime}`, startTime: endTime } });

const begun = (...events: readonly NeededTransaction[]) => begunBeside([], ...events);

function begunBeside(stored: readonly Session[], ...events: readonly NeededTransaction[]): string[] {
  const needs = createNeeds();
  for (const each of events) needs.deviceTransaction(each);
  return startsOnDevices(needs.deviceTransactions, stored).map(([sessionId]) => sessionId);
}

/** A stored session of the id `K`. */
function session(parts: Partial<Session>): Session {
  const { device } = sendAll([STARTED]).only();
  if (device === undefined) throw new Error('it is of OCPP 2.x');
  return newSession({ ...parts, device: { ...device, key: 'K' } });
}

it('144. begins two sessions of an id whose end and next start come in one batch', () => {
  expect(begun(ended('K', EARLY), started('K', LATE))).toEqual(['K', `K of ${LATE}`]);
  expect(begun(started('K', LATE), ended('K', EARLY))).toEqual(['K']);
});

it('144. begins the sessions of a reused id and of another in the order of the batch', () => {
  const events = [started('K', EARLY), ended('K', EARLY), started('OTHER', EARLY), started('K', LATE)];
  expect(begun(...events)).toEqual(['K', `K of ${EARLY}`, 'OTHER', `K of ${LATE}`]);
});

it('144. begins a session of a reused id with its end, where another end came before it', () => {
  expect(begun(ended('K', EARLY), ended('K', LATE))).toEqual(['K', `K to ${LATE}`]);
  expect(begunBeside([session({ endTime: EARLY })], ended('K', LATE))).toEqual([`K to ${LATE}`]);
});

it('144. takes no id for the end of a session, nor for one that is sent again', () => {
  expect(begun(started('K', EARLY), ended('K', LATE))).toEqual(['K']);
  expect(begunBeside([session({ endTime: null })], ended('K', LATE))).toEqual([]);
  expect(begunBeside([session({ endTime: LATE })], ended('K', LATE))).toEqual([]);
});

it('144. may begin a session by an end after that of an operator, whose time is not of the charger', () => {
  const byOperator = session({ endTime: LATE, endedBy: 'operator' });
  expect(begunBeside([byOperator], ended('K', EARLY))).toEqual([`K to ${EARLY}`]);
});
