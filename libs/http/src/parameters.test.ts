import { queryParameters } from './parameters';

const schema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
  },
} as const;

const valuesOf = (query: string) => queryParameters(new URLSearchParams(query), schema).values;

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
  ])('%s is told apart at the commas that belong to no value', (query, tags) => {
    expect(valuesOf(query)).toEqual({ tags });
  });

  it('of numbers stays one of numbers, and a text where it is none', () => {
    expect(valuesOf('ids=1,2&ids=3')).toEqual({ ids: [1, 2, 3] });
    expect(valuesOf('ids=1\\,2')).toEqual({ ids: ['1,2'] });
  });
});
