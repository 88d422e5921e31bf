// The blocks of a log, and a Bloom filter for each full one. A charger of a large network is in one block of six, and each
// other block costs a page read. When a block is full, a filter of its values at the scattered path is stored (5 ms for 16,384
// rows). The block that is being filled has none, and is always searched.
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../port';
import { bloomFilterOf, keyOf, mightContain, type BloomFilter, type Key } from './bloom-filter';
import { toColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName } from './filter-sql';
import { blockSql, type Table } from './table';

/** A table keeps the filters of its newest blocks in memory, at most 16 kB each. */
const MAX_FILTERS = 4_096;

export interface Blocks {
  /** The numbers of the blocks that may contain a match. */
  of(filter: Filter): number[];
  /** After the inserts of a transaction: stores the filters of blocks that are full now. */
  full(): void;
  /** The row has another value at the scattered path. */
  changed(row: number): void;
  /** Rows were deleted: new ones may get the numbers of the last of them. */
  deleted(): void;
  /** The transaction was rolled back. */
  undo(): void;
}

export function createBlocks({ name, blocks, scattered }: Table, database: Database): Blocks {
  /** As the file has them, once they are needed. */
  let filters: LRUCache<number, BloomFilter> | undefined;
  /** The block of the last insert. */
  let current: number | undefined;

  const bounds = (): [first: number, last: number] | undefined => {
    const ends = ['min', 'max'].map((end) => blockSql(`(SELECT ${end}(_row) FROM ${name})`));
    const [[first, last] = []] = database.values(`SELECT ${ends.join(', ')}`);
    return typeof first === 'number' && typeof last === 'number' ? [first, last] : undefined;
  };
  const load = (): LRUCache<number, BloomFilter> => {
    if (filters) return filters;
    filters = new LRUCache({ max: MAX_FILTERS });
    const newest = `SELECT block, keys FROM ${blocks} ORDER BY block DESC LIMIT ?`;
    for (const [block, keys] of database.values(newest, [MAX_FILTERS]).reverse())
      filters.set(Number(block), keys as BloomFilter);
    return filters;
  };
  const make = (path: string, block: number): void => {
    const column = columnName(path);
    // As one JSON text: a result row for each value takes twice as long.
    const texts = `SELECT json_group_array(DISTINCT ${column}) FROM ${name} WHERE _block = ? AND typeof(${column}) = 'text'`;
    const keys = bloomFilterOf(JSON.parse(String(database.values(texts, [block])[0]?.[0])) as string[]);
    database.run(`INSERT OR REPLACE INTO ${blocks} VALUES (?, ?, ?)`, [block, path, keys]);
    filters?.set(block, keys);
  };
  const forget = (condition: string, value: number): void => {
    const gone = database.values(`DELETE FROM ${blocks} WHERE ${condition} RETURNING block`, [value]);
    for (const [block] of gone) filters?.delete(Number(block));
  };

  return {
    of(filter) {
      const [first, last] = bounds() ?? [0, -1];
      const all = Array.from({ length: last - first + 1 }, (_, n) => first + n);
      const wanted = scattered === undefined ? [] : keysAt(scattered, filter);
      if (wanted.length === 0) return all;
      const known = load();
      return all.filter((block) => {
        const keys = known.get(block);
        return keys === undefined || wanted.every((any) => any.some((key) => mightContain(keys, key)));
      });
    },
    full() {
      if (scattered === undefined) return;
      const [first = 0, last] = bounds() ?? [];
      if (last === undefined || last === current) return;
      const done = `SELECT coalesce(max(block), ?) FROM ${blocks}`;
      const newest = Number(database.values(done, [first - 1])[0]?.[0]);
      for (let block = newest + 1; block < last; block += 1) make(scattered, block);
      current = last;
    },
    changed(row) {
      if (scattered !== undefined) forget(`block = ${blockSql('?')}`, row);
    },
    deleted() {
      if (scattered === undefined) return;
      const [first, last] = bounds() ?? [0, 0];
      forget('block < ?', first);
      forget('block >= ?', last);
      current = undefined;
    },
    undo() {
      filters = undefined;
      current = undefined;
    },
  };
}

/** A match has the text of one key of each list at the path. */
function keysAt(path: string, filter: Filter): Key[][] {
  if (filter.op === 'and') return filter.filters.flatMap((inner) => keysAt(path, inner));
  if ((filter.op !== 'eq' && filter.op !== 'in') || filter.path !== path) return [];
  const columns = (filter.op === 'in' ? filter.values : [filter.value]).map(toColumn);
  return columns.every(isText) ? [columns.map(keyOf)] : [];
}

function isText(value: SqlValue): value is string {
  return typeof value === 'string';
}
