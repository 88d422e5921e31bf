// Random documents, filters and updates against a short model that shares no code with the adapters.
import fc from 'fast-check';

import { and, eq } from './port';
import type { Filter, Json, Update } from './port';
import { itemsDefinition, openItems } from './store-harness.contract';
import type { Item, StoreHarness } from './store-harness.contract';

// `serial` has a unique index, `rank` and `place.city` are in an ordinary one, the others have none.
const PATHS = ['rank', 'place.city', 'place.zip', 'name', 'deep.er.path', 'serial'];
const IDS = ['a', 'b', 'c', 'd'];

const text = fc.constantFrom('', 'a', 'A', 'ab', 'aB%', 'b_', 'ü', 'é', '1', 'true', '2026-01-01T00:00:00.000Z');
const number = fc.constantFrom(0, 1, -1, 2, 1.5, 2 ** 33, -7);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const value: fc.Arbitrary<Json> = fc.oneof(scalar, fc.constant({ inner: 1 }));
const path = fc.constantFrom(...PATHS);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constantFrom('eq' as const, 'ne' as const), path, value: scalar }),
  fc.record({
    op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
    path,
    value: fc.oneof(text, number),
  }),
  fc.record({ op: fc.constant('in' as const), path, values: fc.array(fc.oneof(text, number), { maxLength: 3 }) }),
  fc.record({ op: fc.constant('contains' as const), path, value: text }),
  fc.record({ op: fc.constant('eq' as const), path: fc.constant('_id'), value: fc.constantFrom(...IDS) }),
);
const filter: fc.Arbitrary<Filter> = fc.letrec<{ any: Filter; many: Filter }>((tie) => ({
  any: fc.oneof({ maxDepth: 2 }, leaf, tie('many')),
  many: fc.record({
    op: fc.constantFrom('and' as const, 'or' as const),
    filters: fc.array(tie('any'), { maxLength: 3 }),
  }),
})).any;

const document: fc.Arbitrary<Item> = fc
  .tuple(fc.constantFrom(...IDS), fc.dictionary(path, value))
  // Null must not be stored at the path of a unique index, here and in updates.
  .filter(([, values]) => values['serial'] !== null)
  .map(([_id, values]) => build({ _id }, values));

const update: fc.Arbitrary<Update> = fc
  .uniqueArray(fc.tuple(path, fc.constantFrom('set', 'unset', 'inc', 'max'), value, number), {
    selector: ([at]) => at,
    maxLength: 4,
  })
  .map((all) => {
    const parts = all.filter(([at, kind, to]) => at !== 'serial' || kind !== 'set' || to !== null);
    const of = (kind: string): typeof parts => parts.filter((part) => part[1] === kind);
    return {
      set: Object.fromEntries(of('set').map(([at, , to]) => [at, to])),
      unset: of('unset').map(([at]) => at),
      inc: Object.fromEntries(of('inc').map(([at, , , by]) => [at, by])),
      max: Object.fromEntries(of('max').map(([at, , , by]) => [at, by])),
    };
  });

type Step =
  | { readonly kind: 'insert'; readonly document: Item }
  | { readonly kind: 'update'; readonly filter: Filter; readonly update: Update }
  | { readonly kind: 'delete' | 'find'; readonly filter: Filter };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), document }),
  fc.record({
    kind: fc.constant('update' as const),
    filter: fc.oneof(
      fc.tuple(fc.constantFrom(...IDS), filter).map(([id, more]) => and(eq('_id', id), more)),
      fc.constantFrom(...IDS).map((id) => eq('_id', id)),
    ),
    update,
  }),
  fc.record({ kind: fc.constant('find' as const), filter }),
  fc.record({ kind: fc.constant('find' as const), filter }),
  fc.record({
    kind: fc.constant('delete' as const),
    filter: fc.record({ op: fc.constant('and' as const), filters: fc.tuple(leaf, leaf) }),
  }),
);

/** Thousands of steps, each a round trip. */
const MODEL_MS = 180_000;

export function describeModel(title: string, harness: () => StoreHarness): void {
  it.each(['documents', 'wide', 'log'] as const)(
    `returns the same as the model after random steps in the layout %s: ${title}`,
    async (layout) => {
      const definition = itemsDefinition(layout);
      const { store, items } = await openItems(harness(), definition);
      const run = async (steps: readonly Step[]): Promise<void> => {
        await items.delete(and());
        const model = new Map<string, Item>();
        for (const one of steps) {
          if (one.kind === 'insert') {
            expect((await items.insert(one.document)).inserted).toBe(modelInsert(model, one.document));
          } else if (one.kind === 'update') {
            if (isOutside(model, one)) continue;
            const matched = await items.update(one.filter, one.update).catch(() => 'refused');
            expect(matched).toBe(modelUpdate(model, one.filter, one.update));
          } else if (one.kind === 'delete') {
            const gone = [...model.values()].filter((each) => holds(each, one.filter));
            for (const { _id } of gone) model.delete(_id);
            expect(await items.delete(one.filter)).toBe(gone.length);
          } else {
            const found = await items.find(one.filter, { sort: [['_id', 1]] });
            const expected = [...model.values()].filter((each) => holds(each, one.filter));
            expect(found).toEqual(sorted(expected));
            expect(await items.count(one.filter)).toBe(expected.length);
            const values = await items.findValues(one.filter, ['_id', ...PATHS], { sort: [['_id', 1]] });
            expect(values).toEqual(sorted(expected).map(asValues));
          }
        }
        const all = await items.find(and(), { sort: [['_id', 1]] });
        expect(all).toEqual(sorted([...model.values()]));
      };
      try {
        await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), run), { numRuns: 100 });
      } finally {
        await store.stop();
      }
    },
    MODEL_MS,
  );
}

function asValues(item: Item): unknown[] {
  const isScalar = (at: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof at);
  return ['_id', ...PATHS].map((at) => read(item, at)).map((at) => (isScalar(at) ? at : null));
}

function sorted(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => (a._id < b._id ? -1 : 1));
}

/** Servers differ over adding to null, so no update here does. */
function isOutside(model: ReadonlyMap<string, Item>, one: Extract<Step, { kind: 'update' }>): boolean {
  const found = [...model.values()].find((item) => holds(item, one.filter));
  return Object.keys(one.update.inc ?? {}).some((at) => read(found, at) === null);
}

function modelInsert(model: Map<string, Item>, item: Item): boolean {
  if (model.has(item._id) || serialTaken(model, item)) return false;
  model.set(item._id, item);
  return true;
}

function serialTaken(model: ReadonlyMap<string, Item>, item: Item): boolean {
  const serial = item['serial'] ?? null;
  if (serial === null) return false;
  const same = JSON.stringify(serial);
  return [...model.values()].some((other) => other._id !== item._id && JSON.stringify(other['serial']) === same);
}

function modelUpdate(model: Map<string, Item>, by: Filter, change: Update): number | 'refused' {
  const found = [...model.values()].find((item) => holds(item, by));
  if (!found) return 0;
  const next = modelApply(found, change);
  if (next === undefined || serialTaken(model, next)) return 'refused';
  model.set(next._id, next);
  return 1;
}

/** Undefined where the update does not fit the document. */
function modelApply(item: Item, change: Update): Item | undefined {
  const root = structuredClone(item) as Record<string, unknown>;
  const each = <V>(
    values: Readonly<Record<string, V>> | undefined,
    next: (stored: unknown, given: V) => unknown,
  ): void => {
    for (const [at, given] of Object.entries(values ?? {})) put(root, at, next(read(root, at), given));
  };
  try {
    each(change.set, (_, to) => to);
    for (const at of change.unset ?? []) if (read(root, at) !== undefined) put(root, at, undefined);
    each(change.inc, plus);
    each(change.max, larger);
  } catch {
    return undefined;
  }
  return JSON.parse(JSON.stringify(root)) as Item;
}

function plus(stored: unknown, by: number): number {
  if (stored !== undefined && typeof stored !== 'number') throw new Error('not a number');
  return (stored ?? 0) + by;
}

function larger(stored: unknown, to: string | number): unknown {
  const order = (item: unknown): number =>
    ['undefined', 'number', 'string'].indexOf(item === null ? 'undefined' : typeof item);
  if (order(stored) < 0) return stored;
  if (order(stored) !== order(to)) return order(stored) < order(to) ? to : stored;
  return (stored as number) < (to as number) ? to : stored;
}

function build(base: { _id: string }, values: Readonly<Record<string, Json>>): Item {
  const root: Record<string, unknown> = { ...base };
  for (const [at, to] of Object.entries(values)) {
    try {
      put(root, at, to);
    } catch {
      // A scalar blocks the path: this value is omitted.
    }
  }
  return root as unknown as Item;
}

function put(root: Record<string, unknown>, at: string, to: unknown): void {
  const keys = at.split('.');
  const last = keys.pop() ?? '';
  let parent = root;
  for (const key of keys) {
    parent[key] ??= parent[key] === undefined ? {} : null;
    if (typeof parent[key] !== 'object' || parent[key] === null) throw new Error('not an object');
    parent = parent[key] as Record<string, unknown>;
  }
  parent[last] = to;
}

function read(root: unknown, at: string): unknown {
  return at.split('.').reduce<unknown>((inner, key) => {
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? (inner as Record<string, unknown>)[key]
      : undefined;
  }, root);
}

function holds(item: Item, by: Filter): boolean {
  if ('filters' in by) {
    return by.op === 'and'
      ? by.filters.every((each) => holds(item, each))
      : by.filters.some((each) => holds(item, each));
  }
  const stored = read(item, by.path) ?? null;
  if (by.op === 'eq') return stored === by.value;
  if (by.op === 'ne') return stored !== by.value;
  if (by.op === 'in') return by.values.some((each) => each === stored);
  if (by.op === 'contains') return typeof stored === 'string' && ascii(stored).includes(ascii(by.value));
  if (typeof stored !== typeof by.value) return false;
  const [a, b] = [stored as number, by.value as number];
  return { lt: a < b, lte: a <= b, gt: a > b, gte: a >= b }[by.op];
}

function ascii(letters: string): string {
  return letters.replace(/[A-Z]/g, (sign) => sign.toLowerCase());
}
