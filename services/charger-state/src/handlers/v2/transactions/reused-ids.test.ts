import fc from 'fast-check';
import type { Session } from '@busbar/domain/sessions';
import { secondsBefore } from '../../../testing/handler-situation';
import {
  ALL,
  CHARGING,
  ENDED,
  event,
  EVSE,
  IDLE,
  register,
  sendAll,
  STARTED,
  type Payload,
} from '../../../testing/stored-transactions';

/** What a session shows of its events. Its ids are of the event that began it. */
function shown({ startTime, endTime, stopReason, meterStart, meterStop, consumptionWh, state, device }: Session) {
  const { startKnown, chargingState, missingEvents, facts } = device ?? {};
  const energy = { meterStart, meterStop, consumptionWh };
  return { startTime, endTime, stopReason, ...energy, state, startKnown, chargingState, missingEvents, facts };
}

it('144. begins another session where the charger uses its ids again, to which later events belong', () => {
  const again = { ...STARTED, timestamp: secondsBefore(300) };
  const charging = { ...CHARGING, timestamp: secondsBefore(240) };
  const stored = sendAll([...ALL, again, again, charging]);
  expect(stored.sessions().map(({ state, startTime }) => [state, startTime])).toEqual([
    ['ended', secondsBefore(600)],
    ['ongoing', secondsBefore(300)],
  ]);
  expect(stored.sessions()[1]?.device?.chargingState).toBe('Charging');
});

const AGAIN = { transactionInfo: { chargingState: 'Charging' } };
const SECOND = [
  event('Started', 0, { evse: EVSE, timestamp: secondsBefore(300), meterValue: register(300, 9_000) }),
  event('Updated', 1, { ...AGAIN, timestamp: secondsBefore(240), meterValue: register(240, 9_500) }),
  event('Ended', 2, { timestamp: secondsBefore(120), meterValue: register(120, 9_900) }),
];

it('144. keeps the end of a session where its id is used again, in any order that begins with the start or the end', () => {
  const expected = sendAll([...ALL, ...SECOND])
    .sessions()
    .map(shown);
  expect(expected.map(({ consumptionWh }) => consumptionWh)).toEqual([8_000, 900]);
  const [started, charging, ended] = SECOND as [Payload, Payload, Payload];
  for (const order of [
    [ended, started, charging],
    [ended, charging, started],
    [started, ended, charging],
    [ended, ended, charging, ended, started, started],
  ]) {
    const stored = sendAll([...ALL, ...order]);
    expect(stored.sessions().map(shown)).toEqual(expected);
    expect(stored.reported().ongoing).toEqual({});
  }
});

it('144. counts an id that is used again where its end comes first, once', () => {
  const stored = sendAll(ALL);
  const counted = SECOND.toReversed().map((payload) => stored.send(payload).deviations);
  expect(counted).toEqual([['reused_transaction_id'], [], []]);
});

it('145. ends no session again by an end with a higher number, before or after, once or more', () => {
  const second = { ...ENDED, seqNo: 4, timestamp: secondsBefore(60), meterValue: register(60, 20_000) };
  const [once] = sendAll(ALL).sessions().map(shown);
  for (const order of [
    [...ALL, second],
    [...ALL, second, second, ENDED],
    [second, ...ALL],
    [STARTED, second, ENDED, CHARGING, second, IDLE],
  ]) {
    const stored = sendAll(order);
    expect(stored.sessions().map(shown)).toEqual([{ ...once, facts: expect.anything() as unknown }]);
  }
});

it('145. emits one end where an end with a higher number follows', () => {
  const stored = sendAll(ALL);
  const { emitted } = stored.send({
    ...ENDED,
    seqNo: 4,
    timestamp: secondsBefore(60),
    meterValue: register(60, 20_000),
  });
  expect(emitted.map(({ type }) => type)).not.toContain('session.ended');
});

it('170. counts a number that another event has also where that says nothing new', () => {
  const stored = sendAll(ALL);
  const silent = { ...event('Updated', 3), timestamp: CHARGING.timestamp };
  expect(stored.send(silent).deviations).toEqual(['reused_seq_no']);
  expect(stored.send(silent).deviations).toEqual([]);
});

it('144. counts an id that is used again, once', () => {
  const stored = sendAll(ALL);
  const again = { ...STARTED, timestamp: secondsBefore(300) };
  expect(stored.send(again).deviations).toEqual(['reused_transaction_id']);
  expect(stored.send(again).deviations).toEqual([]);
});

/** Of a clock that is off: the time of receipt stands for each of these, which is another one each time. */
const UNTIMED = ALL.map((payload) => ({ ...payload, timestamp: `2035-01-01T00:0${String(payload.seqNo)}:00Z` }));

/** Sends events a second apart, the first so many seconds after the others. */
function sendLater(stored: ReturnType<typeof sendAll>, payloads: readonly Payload[], afterS: number) {
  return payloads.flatMap((payload, index) => {
    const { deviations = [] } = stored.send(payload, { receivedAt: secondsBefore(-afterS - index) });
    return deviations.filter((each) => each !== 'clock_off');
  });
}

it('141. begins no session by events of a clock that is off, in any order, each any number of times', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...UNTIMED], { minLength: UNTIMED.length }),
      fc.array(fc.constantFrom(...UNTIMED), { maxLength: 4 }),
      (order, again) => {
        const stored = sendAll([]);
        const counted = sendLater(stored, order, 0);
        const [session, ...others] = stored.sessions();
        expect([session?.state, others, counted]).toEqual(['ended', [], []]);
        expect(sendLater(stored, again, 100)).toEqual([]);
        expect([stored.sessions(), stored.reported().ongoing]).toEqual([[session], {}]);
      },
    ),
  );
});

it('144. knows an id that is used again by another start where the clock is off, and each event that is sent again', () => {
  const second = UNTIMED.map((payload) => ({ ...payload, timestamp: payload.timestamp.replace('2035', '2036') }));
  const stored = sendAll([]);
  sendLater(stored, UNTIMED, 0);
  expect(sendLater(stored, second.slice(0, 2), 100)).toEqual(['reused_transaction_id']);
  const before = stored.sessions();
  expect(before.map(({ state }) => state)).toEqual(['ended', 'ongoing']);
  expect(sendLater(stored, UNTIMED, 200)).toEqual([]);
  expect(stored.sessions()).toEqual(before);
  sendLater(stored, second, 300);
  expect(stored.sessions().map(({ state }) => state)).toEqual(['ended', 'ended']);
});
