// CSV (RFC 4180) for spreadsheets. Pure, but for `saveFile`.

/** One line. A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/** Offers the text to the reader as a file. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function fieldOf(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
