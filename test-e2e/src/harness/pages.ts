import { v2, type World } from './world';

export interface List {
  /** With its filters. */
  readonly path: string;
  readonly sortKey: string;
}

type Item = Readonly<Record<string, unknown>>;

interface Page {
  readonly page: number;
  readonly limit: number;
  readonly totalRecords: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly items: readonly Item[];
}

const SIZE = 2;

/** All items of a list in order, read page by page in both directions. Checks the position that each page reports. */
export async function expectPaged(world: World, list: List): Promise<readonly Item[]> {
  const { items, totalRecords } = await readPage(world, list, 'limit=100');
  expect(items).toHaveLength(totalRecords);
  expect(totalRecords).toBeGreaterThan(SIZE);
  for (const sortDescending of [false, true]) {
    const expected = sortDescending ? [...items].reverse() : items;
    // One page more than there are.
    for (let page = 1; (page - 2) * SIZE < totalRecords; page += 1) {
      const query = `limit=${String(SIZE)}&page=${String(page)}&sortDescending=${String(sortDescending)}`;
      expect(await readPage(world, list, query)).toMatchObject({
        page,
        totalRecords,
        limit: SIZE,
        hasNextPage: page * SIZE < totalRecords,
        hasPreviousPage: page > 1,
        items: expected.slice((page - 1) * SIZE, page * SIZE),
      });
    }
  }
  return items;
}

async function readPage(world: World, { path, sortKey }: List, query: string): Promise<Page> {
  const reply = await v2(world, `${path}${path.includes('?') ? '&' : '?'}sortKey=${sortKey}&${query}`);
  if (reply.status !== 200) throw new Error(`${path} gave ${String(reply.status)}: ${reply.text}`);
  return reply.json as Page;
}
