import { hasTimes, isFiltered, parseSessionsSearch, queryOf, startsIn } from './sessions-search';

const NOW = new Date(2026, 4, 20, 15, 30);
const local = (...parts: [number, number, number]) => new Date(...parts).getTime();

describe('the address of the sessions', () => {
  it.each([
    [{}, {}],
    [
      { state: 'ended', period: 'week', site: 3, charger: 'A', tag: 4091, page: 2 },
      { state: 'ended', period: 'week', site: 3, charger: 'A', tag: '4091', page: 2 },
    ],
    [
      { from: '2026-05-01', to: '2026-05-03' },
      { from: '2026-05-01', to: '2026-05-03' },
    ],
    [{ from: '1 May', to: '2026-13-40', state: 'x', site: -1 }, {}],
  ])('of %j is read as %j', (raw, expected) => {
    expect(parseSessionsSearch(raw)).toEqual(expected);
  });

  it('asks for whole days of the reader', () => {
    const { startTime, startTimeSearchEnd } = queryOf({ from: '2026-05-01', to: '2026-05-03' }, NOW);
    expect(Date.parse(startTime ?? '')).toBe(local(2026, 4, 1));
    expect(Date.parse(startTimeSearchEnd ?? '')).toBe(local(2026, 4, 4) - 1);
    expect(Date.parse(queryOf({ period: 'week' }, NOW).startTime ?? '')).toBe(local(2026, 4, 13));
    expect(queryOf({}, NOW)).not.toHaveProperty('startTime');
  });

  it('asks for yesterday from one midnight of the reader to the next', () => {
    const { startTime, startTimeSearchEnd } = queryOf({ period: 'yesterday' }, NOW);
    expect(Date.parse(startTime ?? '')).toBe(local(2026, 4, 19));
    expect(Date.parse(startTimeSearchEnd ?? '')).toBe(local(2026, 4, 20) - 1);
    expect(queryOf({ period: 'today' }, NOW)).not.toHaveProperty('startTimeSearchEnd');
  });

  it('asks for a site, a charger and a tag', () => {
    expect(queryOf({ site: 3, charger: 'A', tag: 'T' }, NOW)).toMatchObject({
      siteIds: [3],
      chargerIds: ['A'],
      rfidTags: ['T'],
    });
  });

  it('is filtered by all but the page and the open session', () => {
    expect(isFiltered({ page: 2, session: 1 })).toBe(false);
    expect(isFiltered({ to: '2026-05-03' })).toBe(true);
  });

  it.each([
    [{ period: 'yesterday' }, true],
    [{ from: '2026-05-03' }, true],
    [{ to: '2026-05-03' }, true],
    [{ charger: 'A' }, false],
  ] as const)('%j is of a span of time: %s', (search, isOfSpan) => {
    expect(hasTimes(search)).toBe(isOfSpan);
  });

  it.each([
    [{}, true],
    [{ state: 'ongoing', period: 'week' }, true],
    [{ state: 'ended' }, false],
    [{ site: 3, charger: 'A', tag: 't1', search: 'T1' }, true],
    [{ search: '12' }, true],
    [{ search: 'B' }, false],
    [{ site: 4 }, false],
    [{ charger: 'B' }, false],
    [{ tag: 'T2' }, false],
    [{ period: 'today' }, true],
    [{ period: 'yesterday' }, false],
    [{ from: '2026-05-20' }, true],
    [{ from: '2026-05-21' }, false],
    [{ to: '2026-05-20' }, true],
    [{ to: '2026-05-19' }, false],
  ] as const)('may have a session that starts, with %j: %s', (search, isIn) => {
    const data = { rfidTag: 'T1', transactionId: 12, startTime: NOW.toISOString() };
    expect(startsIn(search, { chargerId: 'A', siteId: 3, data }, NOW)).toBe(isIn);
  });
});
