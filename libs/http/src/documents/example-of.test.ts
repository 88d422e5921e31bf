import { exampleOf } from './example-of';

const text = { type: 'string', examples: ['x'] } as const;

describe('the example of a schema', () => {
  it.each([
    [text, 'x'],
    [{ type: 'string', enum: ['a', 'b'] }, 'a'],
    [{ type: 'boolean' }, false],
    [{ type: 'array', items: text }, ['x']],
    [{ anyOf: [text, { type: 'null' }] }, 'x'],
    [{ type: 'object', properties: { a: text, b: { type: 'integer' } }, required: ['a'] }, { a: 'x' }],
    [{ type: 'object', properties: { a: text }, examples: [{ a: 'own' }] }, { a: 'own' }],
  ] as const)('makes of %j the example %j', (schema, example) => {
    expect(exampleOf(schema)).toEqual(example);
  });

  it('is required of each part, which the error names', () => {
    const schema = { title: 'Thing', type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;
    expect(() => exampleOf(schema)).toThrow('the schema Thing.a needs an example');
  });
});
