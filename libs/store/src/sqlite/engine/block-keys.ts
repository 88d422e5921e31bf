// Finds the blocks of a log that cannot contain a value. A charger of a large network is in one block of six, and each
// other block costs a page read. When a block is full, a Bloom filter of its values at the scattered path is stored
// beside its number (5 ms for 16,384 rows). Blocks without a filter are always searched: the current one, those with
// changed rows, those of older files.
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../port';
import { toColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName } from './filter-sql';
import { keyOf, bloomFilterOf, mightContain, type Key, type BloomFilter } from './bloom-filter';
import { keysColumn, type Table } from './table';

/** A table keeps the filters of its newest blocks in memory, at most 16 kB each. */
const MAX_FILTERS = 4_096;

export interface BlockKeys {
  /** Rows are written to the block from now on, which invalidates its filter. In the transaction of the first row. */
  opened(block: number): void;
  /** A row of the block has another value at the scattered path. In the same transaction. */
  changed(block: number): void;
  /** The transaction, or a part of it, is rolled back: filters made in it may be wrong for the restored rows. */
  undo(): void;
  /** The transaction is committed. */
  commit(): void;
  /** The blocks were deleted. */
  forget(blocks: readonly number[]): void;
  /** Blocks that contain no match of the filter; others may contain none either. */
  without(filter: Filter): number[];
}

/** Undefined for a table without blocks or without a scattered path. */
export function createBlockKeys(table: Table, database: Database): BlockKeys | undefined {
  const { blocks, scattered, name } = table;
  if (blocks === undefined || scattered === undefined) return undefined;
  const keys = keysColumn(scattered);
  const column = columnName(scattered);
  let loaded: LRUCache<number, BloomFilter> | undefined;
  /** Filters made in the open transaction. */
  const made = new Set<number>();

  const filters = (): LRUCache<number, BloomFilter> => {
    if (loaded) return loaded;
    loaded = new LRUCache({ max: MAX_FILTERS });
    const newest = `SELECT block, ${keys} AS keys FROM ${blocks} WHERE ${keys} NOT NULL ORDER BY block DESC LIMIT ?`;
    for (const row of database.all(newest, [MAX_FILTERS]).reverse()) {
      loaded.set(Number(row['block']), row['keys'] as BloomFilter);
    }
    return loaded;
  };
  const invalidate = (block: number): void => {
    loaded?.delete(block);
    database.run(`UPDATE ${blocks} SET ${keys} = NULL WHERE block = ?`, [block]);
  };
  const make = (block: number): void => {
    // As one JSON text: a result row for each value takes twice as long.
    const texts = `SELECT json_group_array(DISTINCT ${column}) AS v FROM ${name} WHERE _block = ? AND typeof(${column}) = 'text'`;
    const filter = bloomFilterOf(JSON.parse(String(database.all(texts, [block])[0]?.['v'])) as string[]);
    database.run(`UPDATE ${blocks} SET ${keys} = ? WHERE block = ?`, [filter, block]);
    made.add(block);
    loaded?.set(block, filter);
  };

  return {
    opened(block) {
      invalidate(block);
      // The block before; where it has its filter, as after a start, the newest block without one.
      const unreported = `SELECT block FROM ${blocks} WHERE block < ? AND ${keys} IS NULL ORDER BY block DESC LIMIT 1`;
      for (const row of database.all(unreported, [block])) make(Number(row['block']));
    },
    changed: invalidate,
    undo() {
      for (const block of made) loaded?.delete(block);
      made.clear();
    },
    commit: () => made.clear(),
    forget(gone) {
      for (const block of gone) loaded?.delete(block);
    },
    without(filter) {
      const wanted = keysAt(scattered, filter);
      if (wanted.length === 0) return [];
      const containsNone = (values: BloomFilter): boolean =>
        wanted.some((any) => !any.some((key) => mightContain(values, key)));
      return [...filters().entries()]
        .filter(([, values]) => containsNone(values))
        .map(([block]) => block)
        .reverse();
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
