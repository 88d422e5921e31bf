import { pageOf } from './numbered-pages';

const names = ['cherry', 'apple', 'Banana', 'apricot'];
const by = { sort: (name: string) => name.toLowerCase(), searched: (name: string) => name };

describe('a page of a list', () => {
  it('is the whole list in its default order without parameters', () => {
    expect(pageOf(names, {}, by)).toEqual({
      page: 1,
      limit: 100,
      totalRecords: 4,
      hasNextPage: false,
      hasPreviousPage: false,
      items: names,
    });
  });

  it('is paged, sorted and searched', () => {
    expect(pageOf(names, { page: 1, limit: 3, sortKey: 'name' }, by)).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      items: ['apple', 'apricot', 'Banana'],
    });
    expect(pageOf(names, { page: 2, limit: 3, sortKey: 'name', sortDescending: true }, by)).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: true,
      items: ['apple'],
    });
    expect(pageOf(names, { search: 'AP' }, by)).toMatchObject({ totalRecords: 2, items: ['apple', 'apricot'] });
    expect(pageOf(names, { page: 9 }, by)).toMatchObject({ items: [], hasNextPage: false });
  });

  it('is sorted by numbers as numbers', () => {
    const byNumber = { sort: (n: number) => n, searched: String };
    expect(pageOf([10, 9, -5, -40], { sortKey: 'n' }, byNumber).items).toEqual([-40, -5, 9, 10]);
  });

  it('does not modify its input', () => {
    const before = [...names];
    pageOf(names, { sortKey: 'name', sortDescending: true }, by);
    expect(names).toEqual(before);
  });
});
