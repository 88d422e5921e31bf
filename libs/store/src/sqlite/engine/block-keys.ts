// Which blocks of a log cannot hold what is asked for. A charger of a large network is in one block of six; each of the others
// that is looked into is a page of the file read for nothing. A block that is full tells of the values at the table's
// scattered path by a set beside its number, made once, when the next block begins (5 ms in 16,384 rows, a third of a microsecond
// each). One without (it is being filled, its rows were changed, the file is older than the sets) is looked into.
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../port';
import { toColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName } from './filter-sql';
import { keyOf, bloomFilterOf, mightContain, type Key, type BloomFilter } from './bloom-filter';
import { keysColumn, type Table } from './table';

/** Of a table, kept in memory, of at most 16 kB each: those of the newest blocks. */
const MAX_FILTERS = 4_096;

export interface BlockKeys {
  /** Rows are written to the block from now on: it tells nothing. In the transaction of the first of them. */
  opened(block: number): void;
  /** A row of the block has another value at the scattered path. In the same transaction. */
  changed(block: number): void;
  /** The transaction, or a part of it, is rolled back: what was made in it may not be true of the rows that are there again. */
  undo(): void;
  /** The transaction is on the disk. */
  commit(): void;
  /** These are gone. */
  forget(blocks: readonly number[]): void;
  /** Blocks that hold no row that the filter is true of; others may hold none either. */
  without(filter: Filter): number[];
}

/** Undefined for a table that has no blocks, or nothing scattered over them. */
export function createBlockKeys(table: Table, database: Database): BlockKeys | undefined {
  const { blocks, scattered, name } = table;
  if (blocks === undefined || scattered === undefined) return undefined;
  const keys = keysColumn(scattered);
  const column = columnName(scattered);
  let loaded: LRUCache<number, BloomFilter> | undefined;
  /** Made in the transaction that is open. */
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
      // Of the block before. Where that tells already, as after a start, of the newest of those that were left out.
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

/** A row has the text of one key of each list at the path, or the filter is not true of it. */
function keysAt(path: string, filter: Filter): Key[][] {
  if (filter.op === 'and') return filter.filters.flatMap((inner) => keysAt(path, inner));
  if ((filter.op !== 'eq' && filter.op !== 'in') || filter.path !== path) return [];
  const columns = (filter.op === 'in' ? filter.values : [filter.value]).map(toColumn);
  return columns.every(isText) ? [columns.map(keyOf)] : [];
}

function isText(value: SqlValue): value is string {
  return typeof value === 'string';
}
