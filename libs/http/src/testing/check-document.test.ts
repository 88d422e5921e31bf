import { documentIssues } from './check-document';

const NAME = { type: 'string', description: 'A name.', examples: ['x'] };
const EXAMPLE = { value: { name: 'x' } };

/** A document without issues, with one operation and one schema. */
function documentWith({
  schema = {},
  property = {},
  operation = {},
  parameter = {},
  response = {},
  examples = { Thing: { $ref: '#/components/examples/Thing' } } as object,
}) {
  const id = { name: 'id', in: 'path', required: true, description: 'Id.', example: 1, schema: { type: 'integer' } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, examples } };
  const get = {
    description: 'Reads.',
    parameters: [{ ...id, ...parameter }],
    responses: { 200: { description: 'The thing.', content, ...response } },
    ...operation,
  };
  const thing = { type: 'object', description: 'A thing.', properties: { name: { ...NAME, ...property } }, ...schema };
  return {
    paths: { '/things/{id}': { get } },
    components: { schemas: { Thing: thing }, examples: { Thing: EXAMPLE } },
  };
}

const nullable = { type: ['string', 'null'] };
const inline = { type: 'object', examples: undefined, properties: { x: NAME } };

describe('a document', () => {
  it('has no issues without a gap', () => {
    expect(documentIssues(documentWith({}))).toEqual([]);
    expect(documentIssues(documentWith({ property: { ...nullable, description: 'Null: none.' } }))).toEqual([]);
  });

  it.each([
    [{ operation: { description: '' } }, 'GET /things/{id}: has no description'],
    [{ parameter: { description: undefined } }, 'GET /things/{id} id: has no description'],
    [{ parameter: { example: undefined } }, 'GET /things/{id} id: has no example'],
    [{ parameter: { example: 'x' } }, 'GET /things/{id} id: its schema rejects its example'],
    [{ response: { description: '' } }, 'GET /things/{id} 200: has no description'],
    [{ examples: {} }, 'GET /things/{id} 200: has no example'],
    [{ examples: { bad: { value: { name: 1 } } } }, 'GET /things/{id} 200: its schema rejects the example bad'],
    [{ schema: { description: undefined } }, 'Thing: has no description'],
    [{ property: { description: undefined } }, 'Thing.name: has no description'],
    [{ property: { examples: [1] } }, 'Thing.name: rejects its own example'],
    [{ property: nullable }, 'Thing.name: does not say what null means'],
    [{ property: inline, examples: { a: { value: {} } } }, 'Thing.name: is an object without a name: give it a title'],
  ])('has an issue with %j', (parts, issue) => {
    expect(documentIssues(documentWith(parts))).toEqual([issue]);
  });
});
