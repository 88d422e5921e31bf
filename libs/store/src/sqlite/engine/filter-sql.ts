// Translates the filter language to SQL: real columns where a path has one (only those use an index), else the
// document's JSON text. Values are always parameters.
import type { Filter, Leaf } from '../../port';
import { misuse } from '../../language/check';
import { lowerAscii } from '../../language/matches';
import { hasControl, toColumn } from './column-value';
import type { SqlValue } from './database';

// Characters that need no escape between the quotes of a JSON path.
const PLAIN_PATH = /^[^"\\\u0000-\u001f]+$/; // eslint-disable-line no-control-regex

export interface Sql {
  readonly text: string;
  readonly values: SqlValue[];
}

/** What filters and orders are translated for. */
export interface Columns {
  /** Paths with a real column. */
  readonly paths: ReadonlySet<string>;
  /** The document, in SQL. */
  readonly doc: string;
}

export function filterSql(filter: Filter, columns: Columns): Sql {
  const values: SqlValue[] = [];
  const text = condition(filter, columns, values);
  return { text, values };
}

/** The expression to sort or group by. */
export function orderSql(path: string, { paths, doc }: Columns): string {
  if (paths.has(path)) return columnName(path);
  return `json_extract(${doc}, ${jsonPath(path)})`;
}

export function columnName(path: string): string {
  return path === '_id' ? '_id' : quoted(`$.${path}`);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A JSON path as an SQL literal. */
export function jsonPath(path: string): string {
  if (!PLAIN_PATH.test(path)) throw misuse(`"${path}" can be filtered by, but not sorted or grouped`);
  const steps = path.split('.').map((segment) => `."${segment}"`);
  return `'$${steps.join('').replaceAll("'", "''")}'`;
}

function condition(filter: Filter, columns: Columns, values: SqlValue[]): string {
  if ('filters' in filter) {
    if (filter.filters.length === 0) return filter.op === 'and' ? '1' : '0';
    const parts = filter.filters.map((inner) => condition(inner, columns, values));
    return `(${parts.join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
  }
  if (!isPlain(filter)) {
    values.push(JSON.stringify(filter));
    return `busbar_matches(${columns.doc}, ?)`;
  }
  return columns.paths.has(filter.path) ? overColumn(filter, values) : overJson(filter, columns.doc, values);
}

/** False where SQLite cannot represent a text or a path exactly: JavaScript evaluates those. */
function isPlain(filter: Leaf): boolean {
  if (!PLAIN_PATH.test(filter.path)) return false;
  const compared = filter.op === 'in' ? filter.values : [filter.value];
  return compared.every((value) => typeof value !== 'string' || !hasControl(value));
}

function overColumn(filter: Leaf, values: SqlValue[]): string {
  const column = columnName(filter.path);
  switch (filter.op) {
    case 'eq':
    case 'ne':
      if (filter.value === null) return `${column} IS ${filter.op === 'eq' ? '' : 'NOT '}NULL`;
      values.push(toColumn(filter.value));
      return filter.op === 'eq' ? `${column} = ?` : `${column} IS NOT ?`;
    case 'in':
      values.push(JSON.stringify(filter.values));
      return `${column} IN (SELECT value FROM json_each(?))`;
    case 'contains':
      values.push(lowerAscii(filter.value));
      return `(typeof(${column}) = 'text' AND instr(lower(${column}), ?) > 0)`;
    default:
      values.push(filter.value);
      return range(column, filter);
  }
}

/**
 * SQLite orders numbers before texts before blobs; the second bound excludes the others. A lower bound may use the
 * index, which leaves out absent values. The `+` prevents that for an upper bound: SQLite uses the first bound it
 * finds, and read a prefix to the end of the index.
 */
function range(column: string, filter: Leaf & { readonly op: 'lt' | 'lte' | 'gt' | 'gte' }): string {
  const compared = `${column} ${OPERATORS[filter.op]} ?`;
  const isText = typeof filter.value === 'string';
  if (filter.op === 'lt' || filter.op === 'lte') return isText ? `(${compared} AND ${column} >= '')` : compared;
  return `(${compared} AND +${column} < ${isText ? "x''" : "''"})`;
}

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function overJson(filter: Leaf, doc: string, values: SqlValue[]): string {
  const path = jsonPath(filter.path);
  const value = `json_extract(${doc}, ${path})`;
  const type = `json_type(${doc}, ${path})`;
  switch (filter.op) {
    case 'eq':
      return equalJson(filter.value, value, type, values);
    case 'ne':
      return `(${equalJson(filter.value, value, type, values)}) IS NOT TRUE`;
    case 'in':
      values.push(JSON.stringify(filter.values));
      return `(${type} IN ('text', 'integer', 'real') AND ${value} IN (SELECT value FROM json_each(?)))`;
    case 'contains':
      values.push(lowerAscii(filter.value));
      return `(${type} = 'text' AND instr(lower(${value}), ?) > 0)`;
    default:
      values.push(filter.value);
      return `(${ofType(filter.value, type)} AND ${value} ${OPERATORS[filter.op]} ?)`;
  }
}

function equalJson(
  compared: string | number | boolean | null,
  value: string,
  type: string,
  values: SqlValue[],
): string {
  if (compared === null) return `${value} IS NULL`;
  if (typeof compared === 'boolean') return `${type} = '${String(compared)}'`;
  values.push(compared);
  return `(${ofType(compared, type)} AND ${value} = ?)`;
}

function ofType(compared: string | number, type: string): string {
  return typeof compared === 'string' ? `${type} = 'text'` : `${type} IN ('integer', 'real')`;
}
