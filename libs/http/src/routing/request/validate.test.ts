import { superlinearAt } from '@busbar/testing';
import { createCompiler } from './validate';

describe('multiples of 0.1', () => {
  const check = createCompiler()({ type: 'number', multipleOf: 0.1 }, '');

  it('46. accepts every number with one decimal, also without an exact float', () => {
    const tenths = Array.from({ length: 10_001 }, (_, n) => n / 10);
    expect(tenths.filter((value) => check(value).length > 0)).toEqual([]);
  });

  it.each([8.11, 0.05, 1000.01])('rejects %p, which has two', (value) => {
    expect(check(value)).toEqual([{ path: '', message: 'must be multiple of 0.1' }]);
  });
});

describe('invalid names of properties', () => {
  const schema = {
    type: 'object',
    properties: { own: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } } },
  } as const;
  const check = createCompiler()(schema, '');

  it('reports them one by one, at their own paths', () => {
    const message = 'has a name that must match pattern "^[a-z]+$"';
    expect(check({ own: { $set: 1, fine: 2, 'a/b': 3 } })).toEqual([
      { path: '/own/$set', message },
      { path: '/own/a~1b', message },
    ]);
  });
});

describe('a value that fits no alternative', () => {
  const one = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] } as const;
  const check = createCompiler()(
    { type: 'object', properties: { of: { anyOf: [one, { type: 'array', items: one }] } } },
    '',
  );

  it.each([
    [{ at: 'x' }, [{ path: '/of/at', message: 'must be integer' }]],
    [{}, [{ path: '/of/at', message: 'is required' }]],
    [[{ at: 1 }, {}], [{ path: '/of/1/at', message: 'is required' }]],
  ])('is rejected with the errors of the alternative of its type alone: %j', (of, issues) => {
    expect(check({ of })).toEqual(issues);
  });

  it('is rejected with the types of all alternatives where it has none of them', () => {
    const messages = ['must be object', 'must be array', 'must match a schema in anyOf'];
    expect(check({ of: 1 })).toEqual(messages.map((message) => ({ path: '/of', message })));
  });
});

describe('a value outside an enum', () => {
  it('is rejected with the list of values', () => {
    const check = createCompiler()({ enum: ['SITE', 'OTHER', null] }, '');
    expect(check('x')).toEqual([{ path: '', message: 'must be one of SITE, OTHER, null' }]);
  });
});

describe('a value of another type', () => {
  it.each([
    [{ type: 'number' }, 'must be number'],
    [{ type: ['number', 'null'] }, 'must be number or null'],
  ] as const)('is rejected with the types of %j', (schema, message) => {
    expect(createCompiler()(schema, '')('1')).toEqual([{ path: '', message }]);
  });
});

describe('a date-time', () => {
  it('rejects a + that was not encoded, with the reason', () => {
    const check = createCompiler()({ type: 'string', format: 'date-time' }, '');
    const timestamp = 'must be a timestamp such as 2026-01-31T12:00:00.000Z';
    const issues = ['2026-01-31T12:00:00 02:00', '2026-01-31'].map((text) => check(text)[0]?.message);
    expect(issues).toEqual([`${timestamp}; write the + of an offset as %2B in a URL`, timestamp]);
  });

  it.each(['2', '2026-01-01T', '2026-01-01T00:00:00.0', '9-', ' '])(
    'costs time by its length: %j over and over',
    (piece) => {
      const check = createCompiler()({ type: 'string', format: 'date-time' }, '');
      const inputOf = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
      expect(superlinearAt((text) => void check(text), inputOf, 100_000)).toBeUndefined();
    },
  );
});
