// Everything that is asked of a table by filter.
import type { Document, Filter, FindOptions, Scalar } from '../port';
import { idOf, misuse } from '../language/check';
import { matches } from '../language/matches';
import { isObject, setOwn, splitPath, valueAt } from '../language/paths';
import { fromColumn } from './column-value';
import type { Database, Row, SqlValue } from './database';
import { columnName, filterSql, jsonPath, orderSql } from './filter-sql';
import type { Sql } from './filter-sql';
import type { Table } from './table';

export interface CountOf {
  value: Scalar;
  count: number;
  sum: number;
}

/** Looks a document up by id, from memory where it is kept. */
type ById<T> = (id: string) => { readonly document: T } | undefined;

export interface Queries<T extends Document> {
  find(filter: Filter, options: FindOptions): T[];
  ids(filter: Filter): string[];
  firstId(filter: Filter): string | undefined;
  count(filter: Filter): number;
  countBy(path: string, filter: Filter, sumPath: string | undefined): CountOf[];
  /** `ids` only for tables whose documents are kept in memory. */
  delete(filter: Filter, limit: number | undefined): { count: number; ids: string[] };
  numberAt(document: T | undefined, path: string): number;
}

export function createQueries<T extends Document>(database: () => Database, table: Table, byId: ById<T>): Queries<T> {
  const where = (filter: Filter): Sql => whereSql(table, filter);
  const readIds = (filter: Filter, limit: string): string[] => {
    const { text, values } = where(filter);
    const found = database().all(`SELECT _id FROM ${table.name} WHERE ${text}${limit}`, values);
    return found.map((row) => String(fromColumn(row['_id'] ?? null)));
  };

  return {
    find(filter, options) {
      const ids = table.isLog || options.sort !== undefined ? undefined : idsOf(filter);
      if (ids !== undefined) return findByIds(ids, filter, options, byId);
      const found = database().all(...findSql(table, where(filter), options));
      return found.map((row) => picked(JSON.parse(String(row['doc'])) as T, options.fields));
    },
    ids: (filter) => readIds(filter, ''),
    firstId: (filter) => readIds(filter, ' LIMIT 1')[0],
    count(filter) {
      const { text, values } = where(filter);
      return Number(database().all(`SELECT count(*) AS n FROM ${table.name} WHERE ${text}`, values)[0]?.['n']);
    },
    countBy(path, filter, sumPath) {
      const { text, values } = where(filter);
      const key = table.paths.has(path) ? columnName(path) : `doc -> ${jsonPath(path)}`;
      const sum = sumPath === undefined ? '0' : numberSql(sumPath);
      const sql = `SELECT ${key} AS v, count(*) AS n, total(${sum}) AS s FROM ${table.name} WHERE ${text} GROUP BY 1`;
      return merged(database().all(sql, values), table.paths.has(path));
    },
    delete(filter, limit) {
      const { text, values } = where(filter);
      const chosen = limit === undefined ? text : `_row IN (SELECT _row FROM ${table.name} WHERE ${text} LIMIT ?)`;
      if (limit !== undefined) values.push(limit);
      const sql = `DELETE FROM ${table.name} WHERE ${chosen}`;
      if (table.blocks !== undefined) return { count: database().run(sql, values), ids: [] };
      const deleted = database().all(`${sql} RETURNING _id`, values);
      return { count: deleted.length, ids: deleted.map((row) => String(fromColumn(row['_id'] ?? null))) };
    },
    numberAt(document, path) {
      const value = valueAt(document, splitPath(path));
      if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
      return value;
    },
  };
}

/** Documents that are kept in memory are neither read nor parsed again. */
function findByIds<T extends Document>(
  ids: readonly string[],
  filter: Filter,
  options: FindOptions,
  byId: ById<T>,
): T[] {
  const from = options.skip ?? 0;
  const found = ids.flatMap((id) => {
    const document = byId(id)?.document;
    return document && matches(document, filter) ? [picked(document, options.fields)] : [];
  });
  return found.slice(from, options.limit === undefined ? undefined : from + options.limit);
}

/** The ids that the filter leaves, where it names them. */
function idsOf(filter: Filter): readonly string[] | undefined {
  const id = idOf(filter);
  if (id !== undefined) return [id];
  if (filter.op !== 'in' || filter.path !== '_id') return undefined;
  return [...new Set(filter.values)].filter((value) => typeof value === 'string');
}

/** With all blocks named where an index that begins with the block can then serve (see table.ts). */
function whereSql(table: Table, filter: Filter): Sql {
  const { text, values } = filterSql(filter, table.paths);
  if (table.blocks === undefined || !leads(table, filter)) return { text, values };
  return { text: `_block IN (SELECT block FROM ${table.blocks}) AND ${text}`, values };
}

function leads(table: Table, filter: Filter): boolean {
  if ('filters' in filter) return filter.op === 'and' && filter.filters.some((inner) => leads(table, inner));
  if (filter.op === 'ne' || filter.op === 'exists' || filter.op === 'contains') return false;
  return table.leading.has(filter.path);
}

function findSql(table: Table, where: Sql, options: FindOptions): [string, SqlValue[]] {
  const order = (options.sort ?? []).map(([path, way]) => `${orderSql(path, table.paths)}${way === 1 ? '' : ' DESC'}`);
  const orderBy = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
  const isBounded = options.limit !== undefined || options.skip !== undefined;
  const values = isBounded ? [...where.values, options.limit ?? -1, options.skip ?? 0] : where.values;
  const chosen = `FROM ${table.name} WHERE ${where.text}${orderBy}${isBounded ? ' LIMIT ? OFFSET ?' : ''}`;
  if (!isBounded || orderBy === '') return [`SELECT doc ${chosen}`, values];
  // Sorted by row number first: else every document that matches is read only to be sorted and left out.
  return [`SELECT doc FROM ${table.name} WHERE _row IN (SELECT _row ${chosen})${orderBy}`, values];
}

function numberSql(path: string): string {
  const at = jsonPath(path);
  return `CASE WHEN json_type(doc, ${at}) IN ('integer', 'real') THEN json_extract(doc, ${at}) END`;
}

/** Absent and null are one group. */
function merged(found: readonly Row[], fromRealColumn: boolean): CountOf[] {
  const groups = new Map<Scalar, CountOf>();
  for (const row of found) {
    const raw = row['v'] ?? null;
    const value = fromRealColumn ? fromColumn(raw) : scalarOf(raw);
    const group = groups.get(value) ?? { value, count: 0, sum: 0 };
    group.count += Number(row['n']);
    group.sum += Number(row['s']);
    groups.set(value, group);
  }
  return [...groups.values()];
}

function scalarOf(json: SqlValue): Scalar {
  if (typeof json !== 'string') return null;
  const value: unknown = JSON.parse(json);
  return isObject(value) || Array.isArray(value) ? null : (value as Scalar);
}

function picked<T extends Document>(document: T, fields: readonly string[] | undefined): T {
  if (fields === undefined) return document;
  const some: Record<string, unknown> = { _id: document._id };
  const all = document as unknown as Record<string, unknown>;
  for (const field of fields) if (Object.hasOwn(all, field)) setOwn(some, field, all[field]);
  return some as unknown as T;
}
