// The tables of a collection. `_row` is stable over VACUUM, unlike an implicit rowid. There is a column for each indexed
// path, and the document as JSON text in `doc`. The columns have no declared type, so that SQLite never converts a text to a
// number.
//
// `documents`: one table with the declared indexes. WITHOUT ROWID made inserts a sixth slower.
//
// `wide`: the columns and the live paths are a narrow row, and `doc` has the rest in a second table (live.ts), by the same
// `_row`. `doc` of `Table` puts them together.
//
// `log`: non-unique indexes begin with `_block`, the row's number divided by 16,384. Rows arrive in order of time but scattered
// over chargers: an index on (chargerId, at) puts each group of 500 on 500 pages. With the block in front they fall on the
// few pages of the current block. Rows of 600 bytes a second, 1,000 chargers, groups of 500: without an index 137,000; with
// (chargerId, at) 35,000; with (block, chargerId, at) 80,000. Smaller blocks write fewer pages, but a page of one charger's
// log took 31 ms with 4,096 rows; larger ones cost 14 % a row for each doubling. A reader visits each block: 6 µs. Bloom
// filters, which let it skip five of six, made an insert 9 % and a page of a log 15 % slower (1,500,000 rows, 100,000 chargers).
import type { CollectionDefinition, Document, IndexDefinition } from '../../port';
import { applyUpdate } from '../../language/apply-update';
import { valueAt } from '../../language/paths';
import type { FlatDocuments, NewRow } from '../protocol';
import { scalarText, toColumn, toText } from './column-value';
import type { SqlValue } from './database';
import { columnName, quoted } from './filter-sql';
import { livePathsOf, wholeDocument, type LivePath } from './live';

const BLOCK_BITS = 14;

export interface Column {
  readonly path: string;
  readonly segments: readonly string[];
  readonly unique: boolean;
}

export interface Table {
  readonly plainName: string;
  /** Quoted. */
  readonly name: string;
  /** The table with `doc`, quoted. */
  readonly documents: string;
  /** The whole document, in SQL. */
  readonly doc: string;
  readonly isLog: boolean;
  readonly isWide: boolean;
  readonly columns: readonly Column[];
  /** Paths with a real column, `_id` included. */
  readonly paths: ReadonlySet<string>;
  readonly live: ReadonlyMap<string, LivePath>;
  /** First paths of the block-wise indexes. */
  readonly leading: ReadonlySet<string>;
  readonly indexes: readonly IndexDefinition[];
}

export function describeTable<T extends Document>(definition: CollectionDefinition<T>): Table {
  const { name: plainName, layout, indexes } = definition;
  const columns = columnsOf(indexes);
  const isWide = layout === 'wide';
  const isLog = layout === 'log';
  const name = quoted(plainName);
  const documents = isWide ? quoted(`${plainName}.documents`) : name;
  const live = livePathsOf(definition, columns);
  const blockwise = isLog ? indexes.filter(({ unique }) => unique !== true) : [];
  return {
    plainName,
    name,
    documents,
    doc: isWide ? wideDocument(name, documents, [...live.keys()]) : 'doc',
    isLog,
    isWide,
    columns,
    paths: new Set(['_id', ...columns.map(({ path }) => path)]),
    live,
    leading: new Set(blockwise.flatMap(({ paths }) => (paths[0] ? [paths[0][0]] : []))),
    indexes,
  };
}

/** Read only where a statement needs it, unlike a join. `livePaths`: those that the file has. */
export function wideDocument(name: string, documents: string, livePaths: readonly string[]): string {
  return `(SELECT ${wholeDocument('doc', livePaths)} FROM ${documents} WHERE ${documents}._row = ${name}._row)`;
}

/** Encoded now: later changes of the object must not reach the store. */
export function newRow(table: Table, document: Document): NewRow {
  return [document._id, documentText(table, document), ...rowValues(table, document)];
}

/** The rows of flat documents. */
export function* flatRows(table: Table, { keys, values }: FlatDocuments): Generator<NewRow> {
  const begins = keys.map((key) => `,${toText(key)}:`);
  // A path of several keys leads to nothing in a document of scalars.
  const places = table.columns.map(({ path }) => keys.indexOf(path));
  const idPlace = keys.indexOf('_id');
  for (let from = 0; from < values.length; from += keys.length) {
    let text = '';
    for (const [n, begin] of begins.entries()) {
      const value = values[from + n];
      if (value !== undefined) text += begin + scalarText(value);
    }
    const whole = `{${text.slice(1)}}`;
    if (table.live.size > 0) yield newRow(table, JSON.parse(whole) as Document);
    else {
      const row = places.map((place) => toColumn(place < 0 ? null : values[from + place]));
      yield [String(values[from + idPlace]), whole, ...row];
    }
  }
}

/** What `doc` has of a document. */
export function documentText({ live }: Table, document: Document): string {
  return toText(live.size === 0 ? document : applyUpdate(document, { unset: [...live.keys()] }));
}

/** The names of the columns that a document fills, quoted, in the order of `rowValues`. */
export function rowNames({ columns, live }: Table): string[] {
  return [...columns.map(({ path }) => columnName(path)), ...[...live.values()].map(({ name }) => name)];
}

/** The values of the real columns and of the live ones. */
export function rowValues({ columns, live }: Table, document: Document): SqlValue[] {
  const values = columns.map(({ segments }) => toColumn(valueAt(document, segments)));
  for (const { segments } of live.values()) {
    const value = valueAt(document, segments);
    values.push(value === undefined ? null : toText(value));
  }
  return values;
}

/** A number, in SQL, for a row number in SQL. */
export function blockSql(row: string): string {
  return `${row} >> ${String(BLOCK_BITS)}`;
}

function columnsOf(indexes: readonly IndexDefinition[]): Column[] {
  const columns = new Map<string, Column>();
  for (const { paths, unique } of indexes) {
    for (const [path] of paths) {
      if (path === '_id') continue;
      const isUnique = unique === true || columns.get(path)?.unique === true;
      columns.set(path, { path, segments: path.split('.'), unique: isUnique });
    }
  }
  return [...columns.values()];
}
