import type { Schemas } from '../../api/client';
import { endedCommandOf, MAX_EVENTS, NO_EVENTS, withEvents, withStored, withWaiting } from './event-list';
import { curlOf, filterOf, isOf, parseEventsSearch, typesFor } from './events-search';

type Event = Schemas['Event'];

function event(n: number, type = 'charger.connected', chargerId = 'A'): Event {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
  return {
    id: `evt_${chargerId}_${String(n)}`,
    type,
    timestamp: at,
    sequence: n,
    chargerId,
    siteId: 3,
    data: {},
  } as Event;
}

const numbersOf = (events: readonly Event[]) => events.map(({ sequence }) => sequence);

describe('the list of events', () => {
  it('has the newest first, each once', () => {
    const list = withEvents(withEvents(NO_EVENTS, [event(1), event(3)], false), [event(2), event(3)], false);
    expect(numbersOf(list.shown)).toEqual([3, 2, 1]);
  });

  it('keeps its order while it is held, and shows afterwards what waited', () => {
    const before = withEvents(NO_EVENTS, [event(1)], false);
    const held = withEvents(before, [event(2), event(2), event(1)], true);
    expect([numbersOf(held.shown), numbersOf(held.waiting)]).toEqual([[1], [2]]);
    expect(numbersOf(withWaiting(held).shown)).toEqual([2, 1]);
    expect(numbersOf(withEvents(held, [event(3)], false).shown)).toEqual([3, 2, 1]);
  });

  it('takes older events that are read without those that wait', () => {
    const held = withEvents(withEvents(NO_EVENTS, [event(3)], false), [event(5)], true);
    const read = withStored(held, [event(4), event(3), event(2)], true);
    expect([numbersOf(read.shown), numbersOf(read.waiting)]).toEqual([
      [3, 2],
      [5, 4],
    ]);
    const later = withStored(held, [event(2)], false);
    expect([numbersOf(later.shown), numbersOf(later.waiting)]).toEqual([[3, 2], [5]]);
    expect(numbersOf(withStored(NO_EVENTS, [event(2), event(1)], true).shown)).toEqual([2, 1]);
  });

  it('drops the oldest beyond its bound', () => {
    const many = Array.from({ length: MAX_EVENTS + 5 }, (_, n) => event(n));
    expect(withEvents(NO_EVENTS, many, true).waiting).toHaveLength(MAX_EVENTS);
    const { shown } = withEvents(NO_EVENTS, many, false);
    expect([shown.length, shown[0]?.sequence]).toEqual([MAX_EVENTS, MAX_EVENTS + 4]);
  });
});

describe('the end of a command', () => {
  it.each([
    ['Reset', 'Accepted', false],
    ['Reset', 'answered', false],
    ['Reset', 'Rejected', true],
    ['Reset', 'charger_timeout', true],
    ['GetReport', 'EmptyResultSet', false],
    ['GetChargingProfiles', 'NoProfiles', false],
    ['GetInstalledCertificateIds', 'NotFound', false],
    ['DeleteCertificate', 'NotFound', true],
  ])('%s with the outcome %s is a failure: %s', (operation, outcome, isFailed) => {
    const ended = { ...event(1, 'command.completed'), data: { commandId: 'c', operation, outcome } } as Event;
    const framesUntil = '2026-01-01T00:00:02.000Z';
    expect(endedCommandOf(ended)).toEqual({ commandId: 'c', operation, outcome, isFailed, framesUntil });
  });

  it('is of no other event', () => {
    expect(endedCommandOf(event(1))).toBeUndefined();
  });
});

describe('the address of the events', () => {
  it.each([
    [{}, {}],
    [
      { type: 'session.*', charger: 'ACME-1' },
      { type: 'session.*', charger: 'ACME-1' },
    ],
    [{ type: 'nothing', charger: 'a b' }, {}],
    [{ charger: 17 }, { charger: '17' }],
    [{ site: 3 }, { site: 3 }],
    [{ site: 'x' }, {}],
  ])('of %j is read as %j', (raw, expected) => {
    expect(parseEventsSearch(raw)).toEqual(expected);
  });

  it('asks for all but the frequent types, or for the chosen one', () => {
    expect(filterOf({})).toEqual({ types: ['*'] });
    const filter = filterOf({ type: 'meter.values', charger: 'A', site: 3 });
    expect(filter).toEqual({ types: ['meter.values'], chargerIds: ['A'], siteIds: [3] });
  });

  it.each<[Parameters<typeof isOf>[0], Event, boolean]>([
    [{}, event(1), true],
    [{}, event(1, 'meter.values'), false],
    [{ type: 'meter.values' }, event(1, 'meter.values'), true],
    [{ type: 'session.*' }, event(1, 'session.ended'), true],
    [{ type: 'session.*' }, event(1), false],
    [{ charger: 'B' }, event(1), false],
    [{ site: 3 }, event(1), true],
    [{ site: 4 }, event(1), false],
  ])('with %j takes from the shared stream %#', (search, one, expected) => {
    expect(isOf(search, one)).toBe(expected);
  });

  it('offers the types that the key may read', () => {
    const types = typesFor(['events:read', 'sessions:read']);
    expect(types).toEqual(['session.*', 'session.started', 'session.ended', 'meter.values']);
    expect(typesFor(['events:read', 'chargers:read'])).not.toContain('charger.security_event');
  });

  it('is a command of a shell, without a secret', () => {
    expect(curlOf('https://h', { type: 'session.*', charger: 'A*', site: 3 })).toBe(
      `curl 'https://h/v2/events?after=oldest&types=session.*&chargerIds=A*&siteIds=3' -H "x-api-key: $API_KEY"`,
    );
  });
});
