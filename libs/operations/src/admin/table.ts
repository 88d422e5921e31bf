// Text in aligned columns, for terminals.

export interface Column<T> {
  readonly header: string;
  readonly value: (row: T) => string;
}

const GAP = '  ';

/** A header line and one line for each row. Without rows: one line that says so. */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[]): readonly string[] {
  if (rows.length === 0) return ['none'];
  const cells = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ];
  const widths = columns.map((_column, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  return cells.map((line) => joined(line, widths));
}

/** Cells at these widths; the last one has its own. */
export function joined(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
    .join(GAP)
    .trimEnd();
}

/** Without characters that a terminal would obey: names and frames come from elsewhere. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, (unit) => `\\u${(unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
