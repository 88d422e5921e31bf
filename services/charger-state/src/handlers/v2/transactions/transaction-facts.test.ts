import fc from 'fast-check';
import { isReusedId, summaryOf, withEvent, type TransactionEvent, type TransactionFacts } from './transaction-facts';

const T0 = Date.parse('2026-01-31T12:00:00Z');
const at = (minutes: number): string => new Date(T0 + minutes * 60_000).toISOString();
let made = 0;

function event(parts: Partial<TransactionEvent> & Pick<TransactionEvent, 'eventType' | 'seqNo'>): TransactionEvent {
  made += 1;
  return { timestamp: at(parts.seqNo), content: `content ${String(made)}`, offline: false, ...parts };
}

function register(minutes: number, value: number, more: object = {}) {
  return [{ timestamp: at(minutes), sampledValue: [{ value, ...more }] }];
}

function fold(events: readonly TransactionEvent[]): TransactionFacts {
  const [first, ...others] = events;
  if (first === undefined) throw new Error('a transaction has an event');
  return others.reduce<TransactionFacts>(withEvent, withEvent(undefined, first));
}

const STARTED = event({ eventType: 'Started', seqNo: 0, evse: { id: 1 }, meterValue: register(0, 1_000) });
const TOKEN = event({ eventType: 'Updated', seqNo: 1, idToken: { idToken: 'TAG', type: 'Central' } });
const CHARGING = event({ eventType: 'Updated', seqNo: 2, chargingState: 'Charging', meterValue: register(2, 3_000) });
const IDLE = event({ eventType: 'Updated', seqNo: 3, chargingState: 'EVConnected' });
const ENDED = event({ eventType: 'Ended', seqNo: 4, meterValue: register(4, 8_000) });
const ALL = [STARTED, TOKEN, CHARGING, IDLE, ENDED];

const anyOrder = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });

describe('the facts of a transaction', () => {
  it('140. are the same in every order of its events, with any of them twice', () => {
    const expected = fold(ALL);
    fc.assert(
      fc.property(anyOrder(ALL), fc.subarray([...ALL]), (order, again) => {
        expect(fold([...order, ...again])).toEqual(expected);
      }),
    );
  });

  it('145. end once: another end with a higher number changes no end, reason or reading, in any order and any number of times', () => {
    const context = { context: 'Transaction.End' };
    const ends = [
      { ...ENDED, stoppedReason: 'EVDisconnected' },
      event({ eventType: 'Ended', seqNo: 5, stoppedReason: 'Remote', meterValue: register(5, 9_000, context) }),
      event({ eventType: 'Ended', seqNo: 6, meterValue: register(-1, 0, { context: 'Transaction.Begin' }) }),
      event({ eventType: 'Ended', seqNo: 7 }),
    ];
    const others = ALL.filter((each) => each !== ENDED);
    const events = [...others, ...ends];
    const once = summaryOf(fold([...others, ...ends.slice(0, 1)]));
    expect(once).toMatchObject({ endTime: at(4), stoppedReason: 'EVDisconnected', meterStop: 8_000 });
    const expected = fold(events);
    fc.assert(
      fc.property(anyOrder(events), fc.subarray(events), (order, again) => {
        const facts = fold([...order, ...again]);
        expect(facts).toEqual(expected);
        expect(summaryOf(facts)).toMatchObject(once);
      }),
    );
  });

  it('145. take the readings of the lower end where it comes after the higher, also where it has none', () => {
    const bare = event({ eventType: 'Ended', seqNo: 3 });
    expect(summaryOf(fold([event({ eventType: 'Started', seqNo: 0 }), ENDED, bare]))).toMatchObject({
      endTime: at(3),
      meterStart: null,
      meterStop: null,
    });
  });

  it('140. are the same for events of any content, also with equal numbers and times', () => {
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const events = fc.array(
      fc.record({
        eventType: fc.constantFrom<TransactionEvent['eventType']>('Started', 'Updated', 'Ended'),
        seqNo: fc.nat(5),
        timestamp: fc.nat(3).map(at),
        content: fc.nat(3).map(String),
        offline: fc.boolean(),
        chargingState: optional(fc.constantFrom('Charging', 'EVConnected', 'Idle', 'SuspendedEV')),
        stoppedReason: optional(fc.constantFrom('Remote', 'Local')),
        isRemoteStop: optional(fc.constant(true as const)),
        idToken: optional(fc.record({ idToken: fc.constantFrom('A', 'B'), type: fc.constant('Central') })),
        evse: optional(fc.record({ id: fc.integer({ min: 1, max: 2 }), connectorId: fc.constantFrom(1, 2) })),
        meterValue: optional(fc.tuple(fc.nat(3), fc.nat(3)).map(([minutes, value]) => register(minutes, value))),
      }),
      { minLength: 1, maxLength: 7 },
    );
    // The content identifies what an event says: two events of the same content are the same event.
    const unique = events.map((list) =>
      list.map((each) => ({ ...each, content: JSON.stringify(each) }) as TransactionEvent),
    );
    fc.assert(
      fc.property(
        unique.chain((list) => fc.tuple(fc.constant(list), anyOrder(list))),
        ([list, order]) => {
          expect(fold(order)).toEqual(fold(list));
        },
      ),
    );
  });

  it('140. take the start from Started, the tag and the EVSE from the lowest event that has them', () => {
    const late = event({
      eventType: 'Updated',
      seqNo: 9,
      idToken: { idToken: 'OTHER', type: 'Central' },
      evse: { id: 2 },
    });
    const facts = fold([late, ...ALL]);
    expect(summaryOf(facts)).toMatchObject({ startTime: at(0), startKnown: true });
    expect([facts.token?.value.idToken, facts.evse?.value.id]).toEqual(['TAG', 1]);
  });

  it('140. take the charging state from the highest event that has one', () => {
    expect(fold([IDLE, CHARGING, STARTED]).chargingState?.value).toBe('EVConnected');
  });

  it('137. take the connector from the lowest event that names one, also where an earlier event names the EVSE', () => {
    const named = event({ eventType: 'Updated', seqNo: 5, evse: { id: 1, connectorId: 2 } });
    expect(fold([named, STARTED]).connector?.value).toBe(2);
  });

  it('141. do not change by an event that was sent twice', () => {
    const facts = fold(ALL);
    for (const each of ALL) expect(withEvent(facts, each)).toBe(facts);
  });

  it('144. are the same for a charger that numbers every event 0', () => {
    const zero = ALL.map((each) => ({ ...each, seqNo: 0 }));
    expect(summaryOf(fold(zero.toReversed()))).toMatchObject({
      startTime: at(0),
      endTime: at(4),
      consumptionWh: 7_000,
    });
    expect(fold(zero.toReversed()).chargingState?.value).toBe('EVConnected');
  });
});

describe('the summary of a transaction', () => {
  it.each([
    ['142. is complete with Started, Ended and all between', ALL, [], true, at(4)],
    ['142. names a number that is missing', [STARTED, TOKEN, IDLE, ENDED], [2], true, at(4)],
    ['142. is not complete without Ended', [STARTED, TOKEN, CHARGING], [], true, null],
    ['142. is not complete without Started, whatever its numbers', [TOKEN, CHARGING, IDLE, ENDED], [], false, at(4)],
  ] as const)('%s', (...[, events, missingEvents, startKnown, endTime]) => {
    expect(summaryOf(fold(events))).toMatchObject({ missingEvents, startKnown, endTime });
  });

  it('142. judges gaps between the lowest and the highest number, wherever a charger begins', () => {
    const shifted = ALL.map((each) => ({ ...each, seqNo: each.seqNo + 70_000 }));
    expect(summaryOf(fold(shifted))).toMatchObject({ missingEvents: [] });
  });

  it('142. names at most 100 missing numbers', () => {
    const last = event({ eventType: 'Ended', seqNo: 500, timestamp: at(5) });
    expect(summaryOf(fold([STARTED, last])).missingEvents).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  it('143. begins with the earliest timestamp and has no consumption before Started comes', () => {
    const facts = fold([ENDED, CHARGING]);
    expect(summaryOf(facts)).toMatchObject({
      startKnown: false,
      startTime: at(2),
      meterStart: null,
      meterStop: 8_000,
      consumptionWh: null,
      endTime: at(4),
    });
    expect(summaryOf(withEvent(facts, STARTED))).toMatchObject({
      startKnown: true,
      startTime: at(0),
      consumptionWh: 7_000,
    });
  });

  it.each([
    ['146. gives the reason that Ended has', 'EVDisconnected', 'EVDisconnected'],
    ['146. gives Local where Ended has no reason', undefined, 'Local'],
  ])('%s', (_title, stoppedReason, expected) => {
    const ended = event({ eventType: 'Ended', seqNo: 1, ...(stoppedReason === undefined ? {} : { stoppedReason }) });
    expect(summaryOf(fold([STARTED, ended])).stoppedReason).toBe(expected);
  });

  it('146. has no end before Ended comes', () => {
    expect(summaryOf(fold([STARTED, CHARGING]))).toMatchObject({ endTime: null, stoppedReason: null, meterStop: null });
  });

  it('146. has no consumption without a register', () => {
    const bare = [event({ eventType: 'Started', seqNo: 0 }), event({ eventType: 'Ended', seqNo: 1 })];
    expect(summaryOf(fold(bare))).toMatchObject({ meterStart: null, meterStop: null, consumptionWh: null });
  });
});

it.each([
  ['144. sees a reused id in a start after the end with a number not above it', { seqNo: 0, timestamp: at(60) }, true],
  ['144. sees none in a start before the end', { seqNo: 0, timestamp: at(3) }, false],
  ['144. sees none in a start with a number above that of the end', { seqNo: 5, timestamp: at(60) }, false],
])('%s', (_title, parts, expected) => {
  expect(isReusedId(fold(ALL), event({ eventType: 'Started', ...parts }))).toBe(expected);
});

it.each([
  ['in another end after it, with a number not above it', { eventType: 'Ended', seqNo: 4, timestamp: at(60) }, true],
  ['not in another end with a number above it', { eventType: 'Ended', seqNo: 5, timestamp: at(60) }, false],
  ['not in an end without a time', { eventType: 'Ended', seqNo: 4, timestamp: at(60), isUntimed: true }, false],
  ['not in an Updated', { eventType: 'Updated', seqNo: 0, timestamp: at(60) }, false],
] as const)('144. sees a reused id %s', (_title, parts, expected) => {
  expect(isReusedId(fold(ALL), event(parts))).toBe(expected);
});

it('144. sees a reused id only after an end', () => {
  const started = event({ eventType: 'Started', seqNo: 0, timestamp: at(60) });
  expect(isReusedId(fold([STARTED, CHARGING]), started)).toBe(false);
  expect(isReusedId(fold(ALL), ENDED)).toBe(false);
});

it('170. changes by another event of one of the highest numbers that says nothing else', () => {
  const facts = fold(ALL);
  const other = event({ eventType: 'Updated', seqNo: 3, timestamp: IDLE.timestamp, chargingState: 'Idle' });
  const again = withEvent(withEvent(facts, other), IDLE);
  expect(again).not.toBe(facts);
  expect(withEvent(again, other)).toBe(again);
});
