import { afterReading, countNew } from './held-list';

const list = (name: string, ...ids: readonly string[]) => ({ name, page: { items: ids.map((id) => ({ id })) } });
const shown = list('all', 'b', 'a');
const read = list('all', 'c', 'b');

describe('a list that is read again', () => {
  it.each([
    ['shows what is read where nobody reads in it', { before: shown, isHeld: false, after: read }],
    ['stays as it was while it is held', { before: shown, isHeld: true, after: shown }],
    ['is not held where it has nothing', { before: list('all'), isHeld: true, after: read }],
    ['is another one where another filter is chosen', { before: list('refused', 'a'), isHeld: true, after: read }],
    ['is not held before it was read', { before: undefined, isHeld: true, after: read }],
  ])('%s', (_, { before, isHeld, after }) => {
    expect(afterReading(before, read, isHeld)).toEqual(after);
  });

  it('counts the rows that are not shown', () => {
    expect(countNew(shown.page, list('all', 'd', 'c', 'b').page)).toBe(2);
    expect(countNew(shown.page, shown.page)).toBe(0);
  });
});
