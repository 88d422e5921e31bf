// Bulks of one kind as flat lists of scalars: the caller's thread then neither encodes a document nor clones an object,
// and a batch of messages writes hundreds of them. Pure.
import { toText, wellFormed } from './engine/column-value';
import type { BulkOperation, Document, Filter, Scalar } from '../port';
import type { FlatChanges, FlatDocuments } from './protocol';

/** Undefined unless all operations insert documents of scalars. */
export function flatDocuments<T extends Document>(operations: readonly BulkOperation<T>[]): FlatDocuments | undefined {
  const keys = new Set<string>();
  for (const operation of operations) {
    if (!('insert' in operation)) return undefined;
    const document = operation.insert as object as Readonly<Record<string, unknown>>;
    for (const key in document) {
      if (!isScalar(document[key])) return undefined;
      keys.add(key);
    }
  }
  const values: (Scalar | undefined)[] = [];
  for (const operation of operations) {
    const { insert } = operation as { readonly insert: object };
    const document = insert as Readonly<Record<string, Scalar | undefined>>;
    for (const key of keys) values.push(Object.hasOwn(document, key) ? document[key] : undefined);
  }
  return { keys: [...keys], values };
}

/** Undefined unless all operations change documents that are found by `eq` on the same paths. */
export function flatChanges<T extends Document>(operations: readonly BulkOperation<T>[]): FlatChanges | undefined {
  let paths: readonly string[] | undefined;
  const values: Scalar[] = [];
  const updates: string[] = [];
  for (const operation of operations) {
    if (!('filter' in operation)) return undefined;
    const terms = operation.filter.op === 'and' ? operation.filter.filters : [operation.filter];
    paths ??= terms.map((term) => ('path' in term ? term.path : ''));
    if (terms.length !== paths.length) return undefined;
    for (const [n, term] of terms.entries()) {
      if (term.op !== 'eq' || term.path !== paths[n]) return undefined;
      values.push(typeof term.value === 'string' ? wellFormed(term.value) : term.value);
    }
    updates.push(toText(operation.update));
  }
  return { paths: paths ?? [], values, updates };
}

/** The filter of a change of `flatChanges`. */
export function filterAt({ paths, values }: FlatChanges, change: number): Filter {
  const terms = paths.map((path, n) => ({ op: 'eq', path, value: values[change * paths.length + n] ?? null }) as const);
  return { op: 'and', filters: terms };
}

function isScalar(value: unknown): value is Scalar | undefined {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || value === null || value === undefined;
}
