import { countChanges } from './list-changes';

it.each([
  ['nothing was counted yet', { shown: 5, counted: undefined, goneAtCount: 0, gone: 0 }, 0],
  ['nothing changed', { shown: 5, counted: 5, goneAtCount: 0, gone: 0 }, 0],
  ['two came', { shown: 5, counted: 7, goneAtCount: 0, gone: 0 }, 2],
  ['one left in sight since the count', { shown: 5, counted: 5, goneAtCount: 0, gone: 1 }, 1],
  ['one left in sight', { shown: 5, counted: 4, goneAtCount: 1, gone: 1 }, 1],
  ['one left in sight, and one came', { shown: 5, counted: 5, goneAtCount: 1, gone: 1 }, 2],
  ['three left out of sight', { shown: 5, counted: 2, goneAtCount: 0, gone: 0 }, 3],
  ['three left, one of them in sight', { shown: 5, counted: 2, goneAtCount: 1, gone: 1 }, 3],
])('counts the changes of a list where %s', (_, counts, expected) => {
  expect(countChanges(counts)).toBe(expected);
});
