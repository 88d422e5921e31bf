import { queryParameters, readQuery } from './parameters';

const schema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
  },
} as const;

const valuesOf = (query: string) => queryParameters(readQuery(query), schema).values;

describe('a list in the query', () => {
  it.each([
    ['tags=a,b&tags=c', ['a', 'b', 'c']],
    ['tags=a%2Cb', ['a', 'b']],
    ['tags=a\\,b,c', ['a,b', 'c']],
    ['tags=a%5C%2Cb', ['a,b']],
    ['tags=a\\\\,b', ['a\\', 'b']],
    ['tags=a\\b,c\\', ['a\\b', 'c\\']],
    ['tags=', ['']],
    ['tags=,', ['', '']],
  ])('is split at commas outside values: %s', (query, tags) => {
    expect(valuesOf(query)).toEqual({ tags });
  });

  it('parses a list of numbers, and leaves invalid items as texts', () => {
    expect(valuesOf('ids=1,2&ids=3')).toEqual({ ids: [1, 2, 3] });
    expect(valuesOf('ids=1\\,2')).toEqual({ ids: ['1,2'] });
  });
});

describe('a query', () => {
  const text = { type: 'object', properties: { search: { type: 'string' } } } as const;
  const read = (query: string) => queryParameters(readQuery(query), text);

  it.each(['search=caf%E9', 'search=%zz', 'search=%ff', 'search=%', 'search=a&search=%C3', 'se%61rch=%E0%80'])(
    'has one error alone for a value that cannot be decoded: %s',
    (query) => {
      const issue = { path: '?search', message: 'is not validly percent-encoded UTF-8' };
      expect(read(query)).toEqual({ values: {}, issues: [issue] });
    },
  );

  it.each([
    ['search=caf%C3%A9+%2B', 'café +'],
    ['search=%25zz', '%zz'],
    ['a=%zz&search=b=c&%ff=1&&%zz', 'b=c'],
  ])('is parsed: %s', (query, search) => {
    expect(read(query)).toEqual({ values: { search }, issues: [] });
  });
});
