import { newestPages } from './newest-pages';

it.each([
  ['no record', 0, [1], 0],
  ['one page', 10, [1], 0],
  ['part of a second page', 11, [1, 2], 0],
  ['as many as are read', 30, [1, 2, 3], 0],
  ['more than are read', 31, [2, 3, 4], 10],
  ['many more', 1_000, [98, 99, 100], 970],
] as const)('reads the newest pages of %s', (_, totalRecords, pages, leftOut) => {
  expect(newestPages(totalRecords, 10, 3)).toEqual({ pages, leftOut });
});
