import type { BulkOperation, Document } from '../port';
import { filterAt, flatChanges, flatDocuments } from './flat';

type Item = Document & Readonly<Record<string, unknown>>;
const set = { set: { n: 1 } };
const eq = (path: string, value: string | number | null) => ({ op: 'eq', path, value }) as const;
const and = (...filters: readonly ReturnType<typeof eq>[]) => ({ op: 'and', filters }) as const;

describe('flatDocuments', () => {
  it.each<[string, readonly Item[], ReturnType<typeof flatDocuments>]>([
    [
      'of the same keys',
      [
        { _id: 'a', n: 1 },
        { _id: 'b', n: null },
      ],
      { keys: ['_id', 'n'], values: ['a', 1, 'b', null] },
    ],
    [
      'of different keys',
      [
        { _id: 'a', n: 1 },
        { is: true, _id: 'b' },
      ],
      { keys: ['_id', 'n', 'is'], values: ['a', 1, undefined, 'b', undefined, true] },
    ],
    [
      'with a key that every object inherits',
      [{ _id: 'a', constructor: 'x' }, { _id: 'b' }],
      { keys: ['_id', 'constructor'], values: ['a', 'x', 'b', undefined] },
    ],
    ['with an object', [{ _id: 'a' }, { _id: 'b', of: {} }], undefined],
    ['with a list', [{ _id: 'a', of: [] }], undefined],
  ])('takes documents %s', (_name, documents, flat) => {
    expect(flatDocuments(documents.map((insert) => ({ insert })))).toEqual(flat);
  });

  it('takes no changes', () => {
    expect(flatDocuments([{ insert: { _id: 'a' } }, { filter: eq('_id', 'b'), update: set }])).toBeUndefined();
  });
});

describe('flatChanges', () => {
  it('takes changes found by eq on the same paths, and gives their filters back', () => {
    const flat = flatChanges([
      { filter: and(eq('_id', 'a'), eq('n', 1)), update: set },
      { filter: and(eq('_id', 'b'), eq('n', null)), update: set },
    ]);
    expect(flat).toEqual({
      paths: ['_id', 'n'],
      values: ['a', 1, 'b', null],
      updates: ['{"set":{"n":1}}', '{"set":{"n":1}}'],
    });
    expect(flat && filterAt(flat, 1)).toEqual(and(eq('_id', 'b'), eq('n', null)));
  });

  it('takes filters of one term', () => {
    expect(flatChanges([{ filter: eq('_id', 'a'), update: set }])).toMatchObject({ paths: ['_id'], values: ['a'] });
  });

  it('makes texts well-formed, as stored texts are', () => {
    expect(flatChanges([{ filter: eq('_id', 'a\ud800'), update: set }])?.values).toEqual(['a\ufffd']);
  });

  it.each<[string, readonly BulkOperation<Item>[]]>([
    ['inserts', [{ filter: eq('_id', 'a'), update: set }, { insert: { _id: 'b' } }]],
    [
      'other paths',
      [
        { filter: eq('_id', 'a'), update: set },
        { filter: eq('n', 1), update: set },
      ],
    ],
    [
      'fewer terms',
      [
        { filter: and(eq('_id', 'a'), eq('n', 1)), update: set },
        { filter: eq('_id', 'a'), update: set },
      ],
    ],
    ['other comparisons', [{ filter: { op: 'gt', path: 'n', value: 1 }, update: set }]],
    ['an or', [{ filter: { op: 'or', filters: [eq('_id', 'a')] }, update: set }]],
  ])('takes no bulk with %s', (_name, operations) => {
    expect(flatChanges(operations)).toBeUndefined();
  });
});
