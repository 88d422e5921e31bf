// All queries of a table by filter.
import type { Document, Filter, FindOptions, Group, Scalar } from '../../port';
import { idOf, misuse } from '../../language/check';
import { mergedGroups } from '../../language/groups';
import { matches } from '../../language/matches';
import { isObject, valueAtPath } from '../../language/paths';
import type { BlockKeys } from './block-keys';
import { fromColumn, toText } from './column-value';
import type { Database, Row, SqlValue } from './database';
import { columnName, filterSql, jsonPath, orderSql } from './filter-sql';
import type { Sql } from './filter-sql';
import type { Rows } from './rows';
import type { Table } from './table';

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
  /** `ids` only for tables whose documents are cached. */
  delete(filter: Filter, limit: number | undefined): { count: number; ids: string[] };
}

/** The dirty documents, which SQL does not see. */
export type DirtyRows = Pick<Rows<Document>, 'byId' | 'dirty' | 'isDirty' | 'flush'>;

export interface QueriesDeps {
  readonly database: Database;
  readonly rows: DirtyRows;
  /** Present for a log only. */
  readonly blockKeys: BlockKeys | undefined;
  /** Runs it in the open transaction, or in one of its own. */
  readonly transact: (work: () => void) => void;
}

export function createQueries(table: Table, { database, rows, blockKeys, transact }: QueriesDeps): Queries {
  const upToDate = (): void => {
    if (rows.dirty() > 0) transact(() => rows.flush(Infinity));
  };
  const where = (filter: Filter): Sql => {
    const sql = whereSql(table, filter, blockKeys);
    if (sql.readsDocuments) upToDate();
    return sql;
  };
  const readIds = (filter: Filter, limit: string): string[] => {
    const { text, values } = where(filter);
    const found = database.all(`SELECT _id FROM ${table.source} WHERE ${text}${limit}`, values);
    return found.map((row) => String(fromColumn(row['_id'] ?? null)));
  };

  return {
    find(filter, options) {
      const ids = table.isLog || options.sort !== undefined ? undefined : idsOf(filter);
      if (ids !== undefined) return findByIds(ids, filter, options, rows);
      if (options.sort?.some(([path]) => !table.paths.has(path)) === true) upToDate();
      const found = database.all(
        ...(blockwiseSql(table, filter, options, blockKeys) ?? findSql(table, where(filter), options)),
      );
      if (rows.dirty() === 0) return found.map((row) => String(row['doc']));
      return found.map((row) => newest(row, rows));
    },
    findValues(paths, filter, options) {
      const { text, values } = where(filter);
      const { sort = [], limit = -1, skip = 0 } = options;
      if ([...paths, ...sort.map(([path]) => path)].some((path) => !table.paths.has(path))) upToDate();
      const sql = `SELECT ${keysSql(table, paths)} FROM ${table.source} WHERE ${text}${orderBySql(table, options)} LIMIT ? OFFSET ?`;
      return database.values(sql, [...values, limit, skip]).map((row) => valuesOf(table, paths, row));
    },
    ids: (filter) => readIds(filter, ''),
    firstId: (filter) => readIds(filter, ' LIMIT 1')[0],
    count(filter) {
      const { text, values } = where(filter);
      return Number(database.all(`SELECT count(*) AS n FROM ${table.source} WHERE ${text}`, values)[0]?.['n']);
    },
    countGroups(paths, filter, sumPath) {
      const { text, values } = where(filter);
      if (sumPath !== undefined || paths.some((path) => !table.paths.has(path))) upToDate();
      const sum = sumPath === undefined ? '0' : numberSql(sumPath);
      const by = paths.map((_path, i) => String(i + 1)).join(', ');
      const sql = `SELECT ${keysSql(table, paths)}, count(*), total(${sum}) FROM ${table.source} WHERE ${text} GROUP BY ${by}`;
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
      const direct = limit === undefined && !table.isWide;
      const chosen = direct ? text : `_row IN (SELECT _row FROM ${table.source} WHERE ${text} LIMIT ?)`;
      if (!direct) values.push(limit ?? -1);
      const sql = `DELETE FROM ${table.name} WHERE ${chosen}`;
      if (table.blocks !== undefined) return { count: database.run(sql, values), ids: [] };
      const deleted = database.all(`${sql} RETURNING _id`, values);
      return { count: deleted.length, ids: deleted.map((row) => String(fromColumn(row['_id'] ?? null))) };
    },
  };
}

/** The number at a path of a document; AppError `internal` where there is none. */
export function numberAt(document: Document | undefined, path: string): number {
  const value = valueAtPath(document, path);
  if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
  return value;
}

/** A row's document: from memory where that is newer. */
function newest(row: Row, rows: DirtyRows): string {
  const id = String(fromColumn(row['_id'] ?? null));
  return rows.isDirty(id) ? toText(rows.byId(id)?.document) : String(row['doc']);
}

/** Cached documents are neither read nor parsed again. */
function findByIds(ids: readonly string[], filter: Filter, options: FindOptions, rows: DirtyRows): string[] {
  const from = options.skip ?? 0;
  const found = ids.flatMap((id) => {
    const document = rows.byId(id)?.document;
    return document && matches(document, filter) ? [toText(document)] : [];
  });
  return found.slice(from, options.limit === undefined ? undefined : from + options.limit);
}

/** The ids that match, where the filter names them. */
function idsOf(filter: Filter): readonly string[] | undefined {
  const id = idOf(filter);
  if (id !== undefined) return [id];
  if (filter.op !== 'in' || filter.path !== '_id') return undefined;
  return [...new Set(filter.values)].filter((value) => typeof value === 'string');
}

/** With the blocks named where an index that begins with the block can then serve (see table.ts). */
function whereSql(table: Table, filter: Filter, blockKeys: BlockKeys | undefined): Sql {
  const sql = filterSql(filter, table.paths);
  if (table.blocks === undefined || !leads(table, filter)) return sql;
  const blocks = blocksSql(table.blocks, filter, blockKeys);
  return { ...sql, text: `_block IN (${blocks.text}) AND ${sql.text}`, values: [...blocks.values, ...sql.values] };
}

/** The blocks of a log, without those that cannot contain a match. */
function blocksSql(blocks: string, filter: Filter, blockKeys: BlockKeys | undefined): Pick<Sql, 'text' | 'values'> {
  const left = blockKeys?.without(filter) ?? [];
  if (left.length === 0) return { text: `SELECT block FROM ${blocks}`, values: [] };
  const text = `SELECT block FROM ${blocks} WHERE block NOT IN (SELECT value FROM json_each(?))`;
  return { text, values: [JSON.stringify(left)] };
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
  blockKeys: BlockKeys | undefined,
): [string, SqlValue[]] | undefined {
  const { sort = [], limit, skip = 0 } = options;
  if (table.blocks === undefined || limit === undefined || sort.length === 0 || !leads(table, filter)) return undefined;
  if (skip + limit > MAX_BLOCK_ROWS) return undefined;
  const { text, values } = filterSql(filter, table.paths);
  const blocks = blocksSql(table.blocks, filter, blockKeys);
  const orderBy = orderBySql(table, options);
  const firstOfBlock = `SELECT _row FROM ${table.name} WHERE _block = blocks.block AND ${text}${orderBy} LIMIT ?`;
  const page =
    `SELECT page._row FROM (${blocks.text}) AS blocks CROSS JOIN ${table.name} AS page ` +
    `ON page._row IN (${firstOfBlock})${orderBy} LIMIT ? OFFSET ?`;
  return [
    `SELECT _id, doc FROM ${table.name} WHERE _row IN (${page})${orderBy}`,
    [...blocks.values, ...values, skip + limit, limit, skip],
  ];
}

function orderBySql(table: Table, { sort = [] }: FindOptions): string {
  const order = sort.map(([path, way]) => `${orderSql(path, table.paths)}${way === 1 ? '' : ' DESC'}`);
  return order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
}

function findSql(table: Table, where: Sql, options: FindOptions): [string, SqlValue[]] {
  const orderBy = orderBySql(table, options);
  const isBounded = options.limit !== undefined || options.skip !== undefined;
  const values = isBounded ? [...where.values, options.limit ?? -1, options.skip ?? 0] : where.values;
  const chosen = `FROM ${table.source} WHERE ${where.text}${orderBy}${isBounded ? ' LIMIT ? OFFSET ?' : ''}`;
  if (!isBounded || orderBy === '') return [`SELECT _id, doc ${chosen}`, values];
  // Sorted by row number first: otherwise every match is read only to be sorted and left out.
  return [`SELECT _id, doc FROM ${table.source} WHERE _row IN (SELECT _row ${chosen})${orderBy}`, values];
}

function numberSql(path: string): string {
  const at = jsonPath(path);
  return `CASE WHEN json_type(doc, ${at}) IN ('integer', 'real') THEN json_extract(doc, ${at}) END`;
}

function keysSql(table: Table, paths: readonly string[]): string {
  return paths.map((path) => keySql(table, path)).join(', ');
}

/** Decodes the columns of `keysSql`. */
function valuesOf(table: Table, paths: readonly string[], row: readonly SqlValue[]): Scalar[] {
  return paths.map((path, i) => valueOf(table, path, row[i] ?? null));
}

function keySql(table: Table, path: string): string {
  return table.paths.has(path) ? columnName(path) : `doc -> ${jsonPath(path)}`;
}

/** Decodes the column of `keySql`. */
function valueOf(table: Table, path: string, raw: SqlValue): Scalar {
  return table.paths.has(path) ? fromColumn(raw) : scalarOf(raw);
}

function scalarOf(json: SqlValue): Scalar {
  if (typeof json !== 'string') return null;
  const value: unknown = JSON.parse(json);
  return isObject(value) || Array.isArray(value) ? null : (value as Scalar);
}
