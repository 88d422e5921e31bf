// Reads CSV (RFC 4180), also with semicolons, as spreadsheets of some languages write it. Pure.

export interface CsvRow {
  /** The line that the row begins at, from 1. */
  readonly line: number;
  readonly values: readonly string[];
}

const BYTE_ORDER_MARK = /^\uFEFF/;
const FORMULA = /^'(?=[=+\-@\t\r])/;

/**
 * Rows that are not empty. Undefined: a quoted field has no end, or something behind it. The apostrophe that keeps a spreadsheet from
 * taking a text for a formula is left out.
 */
export function csvRowsOf(file: string): readonly CsvRow[] | undefined {
  const separator = separatorOf(file);
  const text = file.replace(BYTE_ORDER_MARK, '');
  const field = fieldPattern(separator);
  const rows: CsvRow[] = [];
  let line = 1;
  let row = { line, values: [] as string[] };
  for (let at = 0; at <= text.length; at = field.lastIndex) {
    field.lastIndex = at;
    const [whole, quoted, plain = '', end = ''] = field.exec(text) ?? [];
    if (whole === undefined) return undefined;
    row.values.push((quoted?.replaceAll('""', '"') ?? plain).replace(FORMULA, ''));
    line += whole.split('\n').length - 1;
    if (end === separator) continue;
    if (row.values.some((value) => value.trim() !== '')) rows.push(row);
    row = { line, values: [] };
    if (end === '') break;
  }
  return rows;
}

function separatorOf(file: string): ',' | ';' {
  const [first = ''] = file.split('\n', 1);
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

/** A field, with the separator or the line end behind it. */
function fieldPattern(separator: string): RegExp {
  return new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(\\r\\n|[${separator}\\n]|$)`,
    'y',
  );
}
