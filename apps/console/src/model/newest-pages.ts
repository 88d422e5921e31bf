// Which pages of a list in order of time are read where it may be longer than anybody waits for. Pure.

/** More are not read: 10,000 records in pages of 100. */
const MAX_PAGES = 100;

/** The last pages, ascending, and how many records are on the pages before them. The first page is always read: it has the total. */
export function newestPages(
  totalRecords: number,
  pageSize: number,
  maxPages = MAX_PAGES,
): { readonly pages: readonly number[]; readonly leftOut: number } {
  const last = Math.max(1, Math.ceil(totalRecords / pageSize));
  const first = Math.max(1, last - maxPages + 1);
  return {
    pages: Array.from({ length: last - first + 1 }, (_, n) => first + n),
    leftOut: (first - 1) * pageSize,
  };
}
