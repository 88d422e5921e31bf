// All queries of a table by filter.
import type { Document, Filter, FindOptions, Group, Scalar } from '../../port';
import { misuse } from '../../language/check';
import { mergedGroups } from '../../language/groups';
import { isObject, valueAtPath } from '../../language/paths';
import { fromColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName, filterSql, jsonPath, orderSql } from './filter-sql';
import type { Sql } from './filter-sql';
import { blockSql, type Table } from './table';

/** Rows of each block for a page; a later page is sorted out of all matches. */
const MAX_BLOCK_ROWS = 1_000;

export interface Queries {
  /** JSON texts of documents. */
  find(filter: Filter, options: FindOptions): string[];
  /** Reads columns alone where each path has one, and an index alone where one covers the query. */
  findValues(paths: readonly string[], filter: Filter, options: FindOptions): Scalar[][];
  ids(filter: Filter): string[];
  firstId(filter: Filter): string | undefined;
  count(filter: Filter): number;
  countGroups(paths: readonly string[], filter: Filter, sumPath: string | undefined): Group[];
  /** The number of deleted documents. */
  delete(filter: Filter, limit: number | undefined): number;
}

export function createQueries(table: Table, database: Database): Queries {
  const where = (filter: Filter): Sql => whereSql(table, filter, database);
  const readIds = (filter: Filter, limit: string): string[] => {
    const { text, values } = where(filter);
    const found = database.values(`SELECT _id FROM ${table.name} WHERE ${text}${limit}`, values);
    return found.map(([id = null]) => String(fromColumn(id)));
  };

  return {
    find(filter, options) {
      const [sql, values] = blockwiseSql(table, filter, options, database) ?? findSql(table, where(filter), options);
      return database.values(sql, values).map(([doc]) => String(doc));
    },
    findValues(paths, filter, options) {
      const { text, values } = where(filter);
      const { limit = -1, skip = 0 } = options;
      const sql = `SELECT ${keysSql(table, paths)} FROM ${table.name} WHERE ${text}${orderBySql(table, options)} LIMIT ? OFFSET ?`;
      return database.values(sql, [...values, limit, skip]).map((row) => valuesOf(table, paths, row));
    },
    ids: (filter) => readIds(filter, ''),
    firstId: (filter) => readIds(filter, ' LIMIT 1')[0],
    count(filter) {
      const { text, values } = where(filter);
      return Number(database.values(`SELECT count(*) FROM ${table.name} WHERE ${text}`, values)[0]?.[0]);
    },
    countGroups(paths, filter, sumPath) {
      const { text, values } = where(filter);
      const sum = sumPath === undefined ? '0' : numberSql(table, sumPath);
      const by = paths.map((_path, i) => String(i + 1)).join(', ');
      const sql = `SELECT ${keysSql(table, paths)}, count(*), total(${sum}) FROM ${table.name} WHERE ${text} GROUP BY ${by}`;
      const found = database.values(sql, values);
      return mergedGroups(
        found.map((row) => ({
          values: valuesOf(table, paths, row),
          count: Number(row.at(-2)),
          sum: Number(row.at(-1)),
        })),
      );
    },
    delete(filter, limit) {
      const { text, values } = where(filter);
      if (limit === undefined) return database.run(`DELETE FROM ${table.name} WHERE ${text}`, values);
      const chosen = `SELECT _row FROM ${table.name} WHERE ${text} LIMIT ?`;
      return database.run(`DELETE FROM ${table.name} WHERE _row IN (${chosen})`, [...values, limit]);
    },
  };
}

/** The number at a path of a document; AppError `internal` where there is none. */
export function numberAt(document: Document | undefined, path: string): number {
  const value = valueAtPath(document, path);
  if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
  return value;
}

/** With the blocks named where an index that begins with the block can then serve (see table.ts). */
function whereSql(table: Table, filter: Filter, database: Database): Sql {
  const sql = filterSql(filter, table);
  if (!leads(table, filter)) return sql;
  return {
    text: `_block IN (SELECT value FROM json_each(?)) AND ${sql.text}`,
    values: [blockNumbers(table, database), ...sql.values],
  };
}

/** Of all blocks of a log, as JSON text. */
function blockNumbers({ name }: Table, database: Database): string {
  const ends = ['min', 'max'].map((end) => blockSql(`(SELECT ${end}(_row) FROM ${name})`));
  const [[first, last] = []] = database.values(`SELECT ${ends.join(', ')}`);
  if (typeof first !== 'number' || typeof last !== 'number') return '[]';
  return JSON.stringify(Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

function leads(table: Table, filter: Filter): boolean {
  if ('filters' in filter) return filter.op === 'and' && filter.filters.some((inner) => leads(table, inner));
  if (filter.op === 'ne' || filter.op === 'contains') return false;
  return table.leading.has(filter.path);
}

/**
 * A sorted page of a log: the first rows of each block, in the order of its index, and of those the page. Otherwise all
 * matches would be sorted, since the rows of a log lie by their blocks. Undefined where that does not apply.
 */
function blockwiseSql(
  table: Table,
  filter: Filter,
  options: FindOptions,
  database: Database,
): [string, SqlValue[]] | undefined {
  const { sort = [], limit, skip = 0 } = options;
  if (limit === undefined || sort.length === 0 || !leads(table, filter)) return undefined;
  if (skip + limit > MAX_BLOCK_ROWS) return undefined;
  const { text, values } = filterSql(filter, table);
  const orderBy = orderBySql(table, options);
  const firstOfBlock = `SELECT _row FROM ${table.name} WHERE _block = blocks.block AND ${text}${orderBy} LIMIT ?`;
  const page =
    `SELECT page._row FROM (SELECT value AS block FROM json_each(?)) AS blocks CROSS JOIN ${table.name} AS page ` +
    `ON page._row IN (${firstOfBlock})${orderBy} LIMIT ? OFFSET ?`;
  return [
    `SELECT ${table.doc} FROM ${table.name} WHERE _row IN (${page})${orderBy}`,
    [blockNumbers(table, database), ...values, skip + limit, limit, skip],
  ];
}

function orderBySql(table: Table, { sort = [] }: FindOptions): string {
  const order = sort.map(([path, way]) => `${orderSql(path, table)}${way === 1 ? '' : ' DESC'}`);
  return order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
}

function findSql(table: Table, where: Sql, options: FindOptions): [string, SqlValue[]] {
  const orderBy = orderBySql(table, options);
  const isBounded = options.limit !== undefined || options.skip !== undefined;
  const values = isBounded ? [...where.values, options.limit ?? -1, options.skip ?? 0] : where.values;
  const chosen = `FROM ${table.name} WHERE ${where.text}${orderBy}${isBounded ? ' LIMIT ? OFFSET ?' : ''}`;
  if (!isBounded || orderBy === '') return [`SELECT ${table.doc} ${chosen}`, values];
  // Sorted by row number first: otherwise every match is read only to be sorted and left out.
  return [`SELECT ${table.doc} FROM ${table.name} WHERE _row IN (SELECT _row ${chosen})${orderBy}`, values];
}

function numberSql({ doc }: Table, path: string): string {
  const at = jsonPath(path);
  return `CASE WHEN json_type(${doc}, ${at}) IN ('integer', 'real') THEN json_extract(${doc}, ${at}) END`;
}

function keysSql({ doc, paths: columns }: Table, paths: readonly string[]): string {
  return paths.map((path) => (columns.has(path) ? columnName(path) : `${doc} -> ${jsonPath(path)}`)).join(', ');
}

/** Decodes the columns of `keysSql`. */
function valuesOf({ paths: columns }: Table, paths: readonly string[], row: readonly SqlValue[]): Scalar[] {
  return paths.map((path, i) => (columns.has(path) ? fromColumn : scalarOf)(row[i] ?? null));
}

function scalarOf(json: SqlValue): Scalar {
  if (typeof json !== 'string') return null;
  const value: unknown = JSON.parse(json);
  return isObject(value) || Array.isArray(value) ? null : (value as Scalar);
}
