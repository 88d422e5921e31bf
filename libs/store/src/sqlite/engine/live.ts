// The live paths of a collection: what every message changes of a charger's record. Each has a column in the narrow row, with
// the JSON text of its value; NULL where it is absent. The document in the second table lacks them. So a heartbeat rewrites a
// row of some hundred bytes, without reading, parsing or serializing the document of some kilobytes.
import { misuse } from '../../language/check';
import { valueAt } from '../../language/paths';
import type { CollectionDefinition, Document, Filter, Update } from '../../port';
import { textColumn, toColumn } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName, jsonPath, quoted } from './filter-sql';
import type { Column, Table } from './table';

/** A column of the file that holds a live path begins so. */
export const LIVE_PREFIX = 'live:';
/** No key of a document begins with a dollar sign. */
const NOWHERE = `'$."$"'`;
/** The library binds a text one character at a time, and bytes at once. */
const MIN_BYTES = 100;

export interface LivePath {
  readonly segments: readonly string[];
  /** Its column, quoted. */
  readonly name: string;
  /** The columns of indexes on it, or on a part of it. */
  readonly indexed: readonly { readonly name: string; readonly inside: readonly string[] }[];
}

export function livePathsOf<T extends Document>(
  { name, layout, live = [] }: CollectionDefinition<T>,
  columns: readonly Column[],
): ReadonlyMap<string, LivePath> {
  if (live.length > 0 && layout !== 'wide') throw misuse(`${name} has live paths and is not wide`);
  const paths = new Map<string, LivePath>();
  for (const path of live) {
    const overlaps = [...live, ...columns.map((column) => column.path)].some((other) => path.startsWith(`${other}.`));
    const parts = columns.filter((column) => column.path === path || column.path.startsWith(`${path}.`));
    // An update of a unique value can fail, which only the general way expects.
    if (overlaps || parts.some(({ unique }) => unique)) throw misuse(`"${path}" of ${name} cannot be a live path`);
    const segments = path.split('.');
    const indexed = parts.map((part) => ({
      name: columnName(part.path),
      inside: part.segments.slice(segments.length),
    }));
    paths.set(path, { segments, name: liveColumn(path), indexed });
  }
  return paths;
}

export function liveColumn(path: string): string {
  return quoted(LIVE_PREFIX + path);
}

/** The document with its live paths, in SQL. An absent one is put where nothing is, and removed again. */
export function wholeDocument(doc: string, livePaths: readonly string[]): string {
  if (livePaths.length === 0) return doc;
  const values = livePaths.map((path) => {
    const column = liveColumn(path);
    return `iif(${column} IS NULL, ${NOWHERE}, ${jsonPath(path)}), json(${column})`;
  });
  return `json_remove(json_set(${doc}, ${values.join(', ')}), ${NOWHERE})`;
}

/**
 * An update of live paths alone, of the one document that has equal values at `_id` and live paths: in one statement. Returns
 * whether it matched; undefined for any other update.
 */
export function changeLive(
  database: Database,
  { live, name }: Table,
  filter: Filter,
  update: Update,
): boolean | undefined {
  if (live.size === 0) return undefined;
  const set = assignments(live, update);
  const where = comparisons(live, filter);
  if (set === undefined || where === undefined) return undefined;
  const sql = `UPDATE ${name} SET ${set.sql.join(', ')} WHERE ${where.sql.join(' AND ')}`;
  return database.run(sql, [...set.values, ...where.values]) > 0;
}

interface Terms {
  readonly sql: string[];
  readonly values: SqlValue[];
}

function assignments(live: ReadonlyMap<string, LivePath>, update: Update): Terms | undefined {
  const { set = {}, unset, inc, max = {} } = update;
  if (unset !== undefined || inc !== undefined) return undefined;
  const terms: Terms = { sql: [], values: [] };
  for (const path in set) if (!assign(terms, live.get(path), set[path])) return undefined;
  for (const path in max) if (!raise(terms, live.get(path), max[path])) return undefined;
  return terms.sql.length === 0 ? undefined : terms;
}

function assign({ sql, values }: Terms, at: LivePath | undefined, value: unknown): boolean {
  if (at === undefined) return false;
  sql.push(`${at.name} = CAST(? AS TEXT)`);
  const text = JSON.stringify(value);
  values.push(text.length < MIN_BYTES ? text : Buffer.from(text));
  for (const { name, inside } of at.indexed) {
    sql.push(`${name} = ?`);
    values.push(toColumn(valueAt(value, inside)));
  }
  return true;
}

/** Only a path with an index, whose column SQLite can compare. */
function raise({ sql, values }: Terms, at: LivePath | undefined, bound: unknown): boolean {
  const [column, ...others] = at?.indexed ?? [];
  if (at === undefined || column?.inside.length !== 0 || others.length > 0) return false;
  // SQLite orders columns as `applyUpdate` does: nothing, numbers, texts, and then what stays.
  const isLess = `(${column.name} IS NULL OR ${column.name} < ?)`;
  sql.push(`${at.name} = iif(${isLess}, ?, ${at.name})`, `${column.name} = iif(${isLess}, ?, ${column.name})`);
  const value = toColumn(bound);
  values.push(value, JSON.stringify(bound), value, value);
  return true;
}

/** Undefined unless it is equality at `_id` and at live paths. */
function comparisons(live: ReadonlyMap<string, LivePath>, filter: Filter): Terms | undefined {
  const terms: Terms = { sql: [], values: [] };
  let isNamed = false;
  for (const leaf of filter.op === 'and' ? filter.filters : [filter]) {
    if (leaf.op !== 'eq' || leaf.value === null) return undefined;
    if (leaf.path === '_id' && typeof leaf.value === 'string') {
      isNamed = true;
      terms.sql.push('_id = ?');
      terms.values.push(textColumn(leaf.value));
    } else {
      const at = live.get(leaf.path);
      if (at === undefined) return undefined;
      terms.sql.push(`${at.name} = ?`);
      terms.values.push(JSON.stringify(leaf.value));
    }
  }
  return isNamed ? terms : undefined;
}
