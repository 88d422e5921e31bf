import { createId } from '@busbar/core';
import type { LogReader, LogRow } from './history';
import { createLogFollower, formatLogCursor, LOG_PAGE, parseLogCursor, type LogFollower } from './log-follower';

const NOON = Date.UTC(2026, 0, 1, 12);

/** A log in memory, whose rows become visible in the order in which the test adds them. */
function openLog() {
  const rows = new Map<string, LogRow>();
  const ascending = () => [...rows.keys()].sort();
  const log: LogReader = {
    newestLogId: () => Promise.resolve(ascending().at(-1)),
    logIds: (_incarnationId, { after, upTo = '~', limit }) =>
      Promise.resolve(
        ascending()
          .filter((id) => id > after && id <= upTo)
          .slice(0, limit),
      ),
    logRows: (_incarnationId, ids) =>
      Promise.resolve(ascending().flatMap((id) => (ids.includes(id) ? rows.get(id)! : []))),
  };
  /** A row received `seconds` after noon. */
  const add = (seconds: number): string => {
    const rowId = createId(NOON + seconds * 1000);
    rows.set(rowId, { rowId } as LogRow);
    return rowId;
  };
  return { add, follow: () => createLogFollower(log, 'i') };
}

const taken = async (follower: LogFollower): Promise<LogRow[]> => (await follower.read()).filter(follower.take);

const ids = (rows: readonly LogRow[]): string[] => rows.map(({ rowId }) => rowId);

describe('a follower of a log', () => {
  it('returns each row once, from its beginning on', async () => {
    const { add, follow } = openLog();
    add(0);
    const follower = follow();
    await follower.begin();
    expect(await taken(follower)).toEqual([]);
    const [one, two] = [add(1), add(2)];
    expect(ids(await taken(follower))).toEqual([one, two]);
    expect(await taken(follower)).toEqual([]);
  });

  it('begins on an empty log', async () => {
    const { add, follow } = openLog();
    const follower = follow();
    await follower.begin();
    const first = add(0);
    expect(ids(await taken(follower))).toEqual([first]);
  });

  it.each([5, 500])('returns a row that becomes visible %i s after a newer one', async (late) => {
    const { add, follow } = openLog();
    const follower = follow();
    await follower.begin();
    add(late);
    await taken(follower);
    const row = add(0);
    const found: string[] = [];
    for (let call = 0; call < 10; call += 1) found.push(...ids(await taken(follower)));
    expect(found).toEqual([row]);
  });

  it('returns a long backlog in pages', async () => {
    const { add, follow } = openLog();
    const first = add(0);
    const rows = Array.from({ length: LOG_PAGE * 2 + 1 }, (_, n) => add(n + 1));
    const follower = follow();
    await follower.resume({ newest: first, count: 1 });
    const pages = [ids(await taken(follower)), ids(await taken(follower)), ids(await taken(follower))];
    expect(pages.map(({ length }) => length)).toEqual([LOG_PAGE, LOG_PAGE, 1]);
    expect(pages.flat()).toEqual([...rows].sort());
  });

  it('resumes behind its cursor', async () => {
    const { add, follow } = openLog();
    const before = follow();
    await before.begin();
    add(0);
    add(1);
    await taken(before);
    const cursor = parseLogCursor(formatLogCursor(before.cursor()));
    const missed = add(2);
    const after = follow();
    await after.resume(cursor!);
    expect(ids(await taken(after))).toEqual([missed]);
    expect(after.cursor()).toEqual({ newest: missed, count: 3 });
  });

  it('resumes without a gap where an older row became visible meanwhile', async () => {
    const { add, follow } = openLog();
    const old = add(-3600);
    const before = follow();
    await before.begin();
    const shown = add(100);
    await taken(before);
    const cursor = before.cursor();
    const late = add(50);
    const after = follow();
    await after.resume(cursor);
    expect(ids(await taken(after))).toEqual([late, shown]);
    expect(await taken(after)).toEqual([]);
    expect(ids(await taken(after))).not.toContain(old);
    // From its own cursor nothing comes twice.
    const again = follow();
    await again.resume(after.cursor());
    expect(await taken(again)).toEqual([]);
  });

  it.each([
    '',
    'x',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV.',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV.1.2',
    'x.1',
  ])('does not accept %j as a cursor', (text) => {
    expect(parseLogCursor(text)).toBeUndefined();
  });
});
