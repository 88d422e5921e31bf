// Tags as CSV: the columns of a file, and the request that a file becomes. Pure.
import type { Schemas } from '../../api/client';
import { csvLine } from '../../parts/csv';
import { csvRowsOf, type CsvRow } from '../../parts/csv-rows';
import { tagsTexts as words } from '../../texts/tags';

export type TagInput = Schemas['TagInput'];

export const TAG_COLUMNS = [
  'idTag',
  'tokenName',
  'blocked',
  'startDate',
  'expiringDate',
  'parentIdTag',
  'externalId',
  'type',
] as const;
type Column = (typeof TAG_COLUMNS)[number];

/** The limit of the API. */
const MAX_ROWS = 10_000;

export type TagsOfFile =
  { readonly tags: readonly TagInput[]; readonly lines: readonly number[] } | { readonly issues: readonly string[] };

export function tagLine(tag: Schemas['Tag']): string {
  return csvLine(TAG_COLUMNS.map((column) => tag[column]));
}

/** The tags of a file with the line of each, or what is wrong with the file. What a tag may be, the API decides. */
export function tagsOfFile(text: string): TagsOfFile {
  const [header, ...rows] = csvRowsOf(text) ?? [];
  if (header === undefined) return { issues: [csvRowsOf(text) === undefined ? words.noQuote : words.noRows] };
  const columns = header.values.map((name) => columnOf(name));
  const unknown = header.values.filter((_, n) => columns[n] === undefined);
  const issues = [
    ...unknown.map((name) => words.unknownColumn(name.trim())),
    ...(columns.includes('idTag') ? [] : [words.noColumn]),
    ...(rows.length === 0 ? [words.noRows] : []),
    ...(rows.length > MAX_ROWS ? [words.tooManyRows(rows.length)] : []),
  ];
  if (issues.length > 0) return { issues };
  const read = rows.map((row) => tagOf(columns, row));
  const wrong = read.flatMap((row) => (typeof row === 'string' ? [row] : []));
  if (wrong.length > 0) return { issues: wrong };
  return {
    tags: read.flatMap((row) => (typeof row === 'string' ? [] : [row])),
    lines: rows.map(({ line }) => line),
  };
}

/** What the API found wrong with a row, such as `/tags/17/idTag`, by the line of the file. */
export function issueOfRow({ path, message }: Schemas['Issue'], lines: readonly number[]): string {
  const [, index, field] = /^\/tags\/(\d+)(?:\/(\w+))?/.exec(path) ?? [];
  const text = field === undefined ? message : `${field} ${message}`;
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? text : words.row(line, text);
}

function columnOf(name: string): Column | undefined {
  const wanted = name.trim().toLowerCase();
  return TAG_COLUMNS.find((column) => column.toLowerCase() === wanted);
}

/** A tag, or what is wrong with its row. */
function tagOf(columns: readonly (Column | undefined)[], { line, values }: CsvRow): TagInput | string {
  const tag: Partial<Record<Column, string | boolean | null>> = {};
  for (const [n, column] of columns.entries()) {
    if (column === undefined) continue;
    const value = valueOf(column, (values[n] ?? '').trim());
    if (value === undefined) {
      return words.row(line, column === 'blocked' ? words.notTrueOrFalse : words.noTime(column));
    }
    tag[column] = value;
  }
  return { ...tag, idTag: String(tag.idTag ?? '') } as TagInput;
}

/** Undefined: no value of the column. */
function valueOf(column: Column, text: string): string | boolean | null | undefined {
  if (text === '') return null;
  if (column === 'blocked') {
    const word = text.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  }
  if (column !== 'startDate' && column !== 'expiringDate') return text;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
