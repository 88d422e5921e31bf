// Which blocks of a log cannot hold what is asked for. A charger of a large network is in one block of six; each of the others
// that is looked into is a page of the file read for nothing. A block that is full tells of the values at the table's
// scattered path by a set beside its number, made once, when the next block begins (5 ms in 16,384 rows, a third of a microsecond
// each). One without (it is being filled, its rows were changed, the file is older than the sets) is looked into.
import type { Filter } from '../../port';
import { toColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName } from './filter-sql';
import { keyOf, bloomFilterOf, mightContain, type Key, type BloomFilter } from './bloom-filter';
import { keysColumn, type Table } from './table';

/** Of a table, kept in memory, of at most 16 kB each: those of the newest blocks. */
const MAX_SETS = 4_096;

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
  let loaded: Map<number, BloomFilter> | undefined;
  /** Made in the transaction that is open. */
  const made = new Set<number>();

  /** Newest last. */
  const sets = (): ReadonlyMap<number, BloomFilter> => {
    loaded ??= new Map(
      database
        .all(`SELECT block, ${keys} AS keys FROM ${blocks} WHERE ${keys} NOT NULL ORDER BY block DESC LIMIT ?`, [
          MAX_SETS,
        ])
        .reverse()
        .map((row) => [Number(row['block']), row['keys'] as BloomFilter]),
    );
    return loaded;
  };
  const invalidate = (block: number): void => {
    loaded?.delete(block);
    database.run(`UPDATE ${blocks} SET ${keys} = NULL WHERE block = ?`, [block]);
  };
  const make = (block: number): void => {
    // In one text: as a row each they take twice as long.
    const texts = `SELECT json_group_array(DISTINCT ${column}) AS v FROM ${name} WHERE _block = ? AND typeof(${column}) = 'text'`;
    const set = bloomFilterOf(JSON.parse(String(database.all(texts, [block])[0]?.['v'])) as string[]);
    database.run(`UPDATE ${blocks} SET ${keys} = ? WHERE block = ?`, [set, block]);
    made.add(block);
    loaded?.set(block, set);
    const [oldest] = loaded?.keys() ?? [];
    if (oldest !== undefined && sets().size > MAX_SETS) loaded?.delete(oldest);
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
      const containsNone = (set: BloomFilter): boolean =>
        wanted.some((any) => !any.some((key) => mightContain(set, key)));
      return [...sets()].filter(([, set]) => containsNone(set)).map(([block]) => block);
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
