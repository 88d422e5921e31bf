import { cursorPageWanted, cursorReply, VISIBILITY_DELAY_MS, type CursorQuery } from './cursor-pages';

type Key = 'id' | 'name' | 'updatedAt';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const VISIBLE_UNTIL = new Date(NOW.getTime() - VISIBILITY_DELAY_MS).toISOString();
const PLACE = { value: 'Åse', tie: 7 };

const wantedOf = (query: CursorQuery<Key> & { readonly city?: string }, list = 'sites', now = NOW) =>
  cursorPageWanted<Key>(query, { list, sortKey: 'id', sortDescending: false, now });
const replyOf = (query: CursorQuery<Key>, next?: typeof PLACE, now = NOW) =>
  cursorReply(wantedOf(query, 'sites', now), { items: [], total: 9, next });
const cursorOf = (query: CursorQuery<Key>): string => replyOf(query, PLACE).nextCursor ?? '';

describe('a cursor', () => {
  it('names the place after which the next page begins', () => {
    const after = cursorOf({ sortKey: 'name', limit: 3 });
    expect(after).toMatch(/^[\w-]+$/);
    expect(wantedOf({ sortKey: 'name', limit: 5, after })).toMatchObject({ page: 2, limit: 5, after: PLACE });
  });

  it('is null on the last page, and where the request has a page', () => {
    expect(replyOf({})).toMatchObject({ hasNextPage: false, nextCursor: null });
    expect(replyOf({ page: 1 }, PLACE)).toMatchObject({ hasNextPage: true, nextCursor: null, nextUpdatedSince: null });
  });

  it.each<[string, CursorQuery<Key> & { readonly city?: string }, string]>([
    ['other filters', { sortKey: 'name', city: 'Oslo' }, 'sites'],
    ['another time', { sortKey: 'name', updatedSince: '2026-01-01T00:00:00Z' }, 'sites'],
    ['another order', { sortKey: 'id' }, 'sites'],
    ['another direction', { sortKey: 'name', sortDescending: true }, 'sites'],
    ['another list', { sortKey: 'name' }, 'tags'],
  ])('is refused with %s', (_what, query, list) => {
    const after = cursorOf({ sortKey: 'name' });
    expect(() => wantedOf({ ...query, after }, list)).toThrow(
      'after belongs to another query: repeat the filters and the order of the request that it comes from.',
    );
  });

  it('is accepted where the order is only written out', () => {
    const after = cursorOf({});
    expect(wantedOf({ sortKey: 'id', sortDescending: false, after }).after).toEqual(PLACE);
  });

  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    'x',
    'bm8',
    encoded({}),
    encoded([1, 'scope']),
    encoded([2, 'scope', 2, 'a', 'b', null]),
    encoded([1, 'scope', 0, 'a', 'b', null]),
    encoded([1, 'scope', 2, { $gt: '' }, 'b', null]),
    encoded([1, 'scope', 2, 'a', null, null]),
    encoded([1, 'scope', 2, 1.5, 'b', null]),
    encoded([1, 'scope', 2, 'a', 'b', 'yesterday']),
  ])('is refused where it is none: %s', (after) => {
    expect(() => wantedOf({ after })).toThrow(
      'after is not a cursor: give nextCursor of an earlier response unchanged.',
    );
  });

  it('is refused beside a page', () => {
    expect(() => wantedOf({ after: cursorOf({}), page: 2 })).toThrow('after cannot be combined with page');
  });
});

describe('the time from which the next synchronization continues', () => {
  const later = new Date(NOW.getTime() + 3_600_000);

  it('is that of the first page in any order but that of change', () => {
    const after = cursorOf({ sortKey: 'name' });
    expect(replyOf({ sortKey: 'name', after }, undefined, later).nextUpdatedSince).toBe(VISIBLE_UNTIL);
  });

  it('is decided by the first page that reaches what may not be visible yet', () => {
    const updatedSince = '2026-01-01T00:00:00.000Z';
    const old = replyOf({ updatedSince }, { value: VISIBLE_UNTIL, tie: 1 });
    const after = old.nextCursor ?? '';
    expect(replyOf({ updatedSince, after }, undefined, later).nextUpdatedSince).toBe(
      new Date(later.getTime() - VISIBILITY_DELAY_MS).toISOString(),
    );
    const fresh = replyOf({ updatedSince }, { value: NOW.toISOString(), tie: 1 });
    expect(fresh.nextUpdatedSince).toBeNull();
    expect(replyOf({ updatedSince, after: fresh.nextCursor ?? '' }, undefined, later).nextUpdatedSince).toBe(
      VISIBLE_UNTIL,
    );
  });

  it('is by change, oldest first, unless the request says otherwise', () => {
    const updatedSince = '2026-01-01T01:00:00+01:00';
    expect(wantedOf({ updatedSince })).toMatchObject({
      sortKey: 'updatedAt',
      sortDescending: false,
      updatedSince: '2026-01-01T00:00:00.000Z',
    });
    expect(wantedOf({ updatedSince, sortKey: 'name' })).toMatchObject({ sortKey: 'name' });
  });
});

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Row {
  readonly id: number;
  readonly value: number;
  readonly updatedAt: string;
}

describe('a client that follows the cursors', () => {
  // Writers stamp by clocks of their own, and what they write is visible in another order than it was stamped in.
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('misses no change of concurrent writers (seed %i)', (seed) => {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const stored = new Map<number, Row>();
    const copy = new Map<number, Row>();
    let pending: { readonly visibleAt: number; readonly row: Row }[] = [];
    let now = NOW.getTime();
    const advance = (): void => {
      now += below(20_000);
      const due = pending.filter(({ visibleAt }) => visibleAt <= now).sort((a, b) => a.visibleAt - b.visibleAt);
      pending = pending.filter(({ visibleAt }) => visibleAt > now);
      for (const { row } of due) {
        const { updatedAt = '' } = stored.get(row.id) ?? {};
        stored.set(row.id, { ...row, updatedAt: updatedAt > row.updatedAt ? updatedAt : row.updatedAt });
      }
    };
    const write = (): void => {
      // A writer's clock is up to a minute fast or slow, and a write takes up to a minute.
      const updatedAt = new Date(now + below(120_000) - 60_000).toISOString();
      pending.push({ visibleAt: now + below(59_000), row: { id: below(40), value: random(), updatedAt } });
    };
    const pageOf = (query: CursorQuery<Key>) => {
      const wanted = wantedOf(query, 'rows', new Date(now));
      const { after, updatedSince = '', limit } = wanted;
      const found = [...stored.values()]
        .filter((row) => row.updatedAt >= updatedSince)
        .sort((a, b) => (a.updatedAt === b.updatedAt ? a.id - b.id : a.updatedAt < b.updatedAt ? -1 : 1));
      const isBeyond = (row: Row): boolean =>
        after === undefined ||
        row.updatedAt > String(after.value) ||
        (row.updatedAt === after.value && row.id > Number(after.tie));
      const rest = found.filter(isBeyond);
      const items = rest.slice(0, limit);
      const last = rest.length > limit ? items.at(-1) : undefined;
      const next = last && { value: last.updatedAt, tie: last.id };
      return cursorReply(wanted, { items, total: found.length, next });
    };
    let updatedSince = new Date(0).toISOString();
    const synchronize = (meanwhile: () => void): void => {
      for (let after: string | undefined; ;) {
        const reply = pageOf({ updatedSince, limit: 1 + below(9), after });
        for (const row of reply.items) copy.set(row.id, row);
        meanwhile();
        if (reply.nextUpdatedSince !== null) updatedSince = reply.nextUpdatedSince;
        if (reply.nextCursor === null) return;
        after = reply.nextCursor;
      }
    };
    for (let round = 0; round < 60; round += 1) {
      synchronize(() => {
        for (let n = below(3); n > 0; n -= 1) write();
        advance();
      });
    }
    while (pending.length > 0) advance();
    synchronize(() => undefined);
    expect(copy).toEqual(stored);
    expect(stored.size).toBeGreaterThan(30);
  });
});
