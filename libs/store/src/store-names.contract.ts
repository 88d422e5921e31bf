// Names and values that chargers and vendors invent: both stores return them unchanged. Two names are exceptions: BSON
// cannot hold U+0000 in a name, and its library reads `_bsontype`. The gateway refuses a message with one of them.
import fc from 'fast-check';

import { eq } from './port';
import type { Json } from './port';
import { openItems } from './store-harness.contract';
import type { Item, StoreHarness } from './store-harness.contract';

const NAMES = [
  ...['', '.', '..', 'a.b', '.a', 'a.', '$', '$set', '$ref', '$id', '$db', '$numberLong', '$oid', '_id', 'id'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'toBSON', 'length', 'then'],
  ...['ObjectId', '0', '-1', 'a"b', "it's", 'a\\b', 'ключ', '\u0001', '\n', '\u2028', '😀', '\ufffd'],
];
const TEXTS = [
  '\u0000',
  'a\u0000b',
  '\u0001',
  '\ud800',
  '\udfff x',
  '😀',
  '\u2028',
  '',
  'ObjectId',
  'DBRef',
  'Long',
  'Code',
];

const name = fc.oneof(
  fc.constantFrom(...NAMES),
  // Half a surrogate pair has no UTF-8 form and becomes U+FFFD.
  fc.string({ unit: 'binary', maxLength: 12 }).map((any) => any.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd')),
);
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 12 }));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 5e-324),
);
const { any: json } = fc.letrec<{ any: Json; object: Json; array: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    tie('object'),
    tie('array'),
  ),
  array: fc.array(tie('any'), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(name, tie('any')), { maxLength: 4 })
    // Each name becomes an own property, as in JSON.parse.
    .map((entries) => Object.fromEntries(entries) as Json),
}));

export function describeNames(title: string, harness: () => StoreHarness): void {
  it.each(['documents', 'wide', 'log'] as const)(
    `returns fields with any name and value unchanged in the layout %s: ${title}`,
    async (layout) => {
      const { store, items } = await openItems(harness(), {
        name: `names_${layout}_${String(Math.trunc(performance.now() * 1_000))}`,
        indexes: [],
        layout,
      });
      let count = 0;
      const comesBack = async (payload: Json): Promise<void> => {
        count += 1;
        const [first, second, third] = [`a${String(count)}`, `b${String(count)}`, `c${String(count)}`];
        const document: Item = { _id: first, payload, list: [payload] };
        await items.insert(document);
        await items.bulk([{ insert: { ...document, _id: second } }, { insert: { _id: third } }]);
        await items.update(eq('_id', third), { set: { payload, list: [payload] } });
        for (const id of [first, second, third]) {
          const found = await items.get(id);
          expect(asText(found)).toBe(asText({ ...document, _id: id }));
        }
        const [found] = await items.find(eq('_id', first));
        expect(asText(found)).toBe(asText(document));
      };
      try {
        for (const value of [1, 'ObjectId', {}, [{ inner: '\u0000' }]]) {
          await comesBack(Object.fromEntries(NAMES.map((each) => [each, value])));
        }
        await comesBack([{ $ref: 'a', $id: 'b' }, { $ref: 'a', $id: 'b', $db: 'c' }, { $oid: '0'.repeat(24) }]);
        await fc.assert(fc.asyncProperty(fc.oneof(json, text), comesBack), { numRuns: 100 });
      } finally {
        await store.stop();
      }
    },
  );
}

/** Encodes as JSON with sorted keys. Half a surrogate pair has no UTF-8 form, and -0 is 0 in JSON. */
function asText(value: unknown): string {
  return JSON.stringify(ordered(JSON.parse(JSON.stringify(value)))).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, ordered(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
