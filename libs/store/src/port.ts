// The store port: document collections with a small closed language that MongoDB, its stand-in and SQLite execute
// alike. Adapters: sqlite/ and mongo/; both pass store.contract.ts. Documents are JSON. A timestamp is RFC 3339 text in
// UTC (24 characters, so text order is time order). Paths are dotted; keys contain no dots and do not begin with `$`;
// paths do not lead through arrays, and filters not to one.
import type { Service } from '@busbar/core';

export type Scalar = string | number | boolean | null;
export type Json = Scalar | readonly Json[] | { readonly [key: string]: Json };

/** `_id` is unique in its collection. */
export interface Document {
  readonly _id: string;
}

/**
 * `eq` null matches absent and null. `ne` matches absent too, unless it compares with null. `in` never matches null.
 * `lt`, `lte`, `gt` and `gte` compare values of one type only. `contains` finds a substring and ignores ASCII case. An
 * empty `and` is true, an empty `or` false.
 */
export type Filter =
  | { readonly op: 'eq' | 'ne'; readonly path: string; readonly value: Scalar }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly path: string; readonly value: string | number }
  | { readonly op: 'in'; readonly path: string; readonly values: readonly (string | number)[] }
  | { readonly op: 'contains'; readonly path: string; readonly value: string }
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] };

/** A condition on one path. */
export type Leaf = Exclude<Filter, { readonly filters: readonly Filter[] }>;

/** Applied in the order of the fields here. An update never changes `_id`. */
export interface Update {
  readonly set?: Readonly<Record<string, Json>>;
  readonly unset?: readonly string[];
  /** Absent counts as 0; null is an error. */
  readonly inc?: Readonly<Record<string, number>>;
  /** The greater of the stored and the given value; absent is less. */
  readonly max?: Readonly<Record<string, string | number>>;
}

export interface UpdateOptions {
  /** All matches, not only one. */
  readonly many?: boolean;
  /** Insert when nothing matches; the filter must be `eq` on `_id`. */
  readonly upsert?: boolean;
}

export interface FindOptions {
  /** Most significant first. The order of equal values is undefined: end with a unique path where it matters. */
  readonly sort?: readonly (readonly [path: string, direction: 1 | -1])[];
  readonly limit?: number;
  readonly skip?: number;
}

export type BulkOperation<T extends Document> =
  { readonly insert: T } | { readonly filter: Filter; readonly update: Update };

export interface BulkOptions {
  /**
   * Documents of scalars that are inserted after the operations, where every update matched a document. A store that orders
   * writes does all of it in one commit, or nothing: where an update missed, or a document's `_id` or unique value is taken.
   */
  readonly whenAllMatched?: FollowingInserts;
}

export interface FollowingInserts {
  readonly into: CollectionDefinition<Document>;
  readonly documents: readonly Document[];
}

export interface BulkResult {
  /** Documents matched by the updates, together. */
  readonly matched: number;
  readonly inserted: number;
  /** Documents of `whenAllMatched` that were inserted; absent where none could be. */
  readonly followed?: number;
}

export interface IndexDefinition {
  readonly name: string;
  readonly paths: readonly (readonly [path: string, direction: 1 | -1])[];
  /** Documents without a value at the (single) path are outside a unique index; null must not be stored there. */
  readonly unique?: boolean;
  /** Only documents with a value at the first path are in it: for a path that few documents have. Not beside `unique`. */
  readonly sparse?: boolean;
}

/** A collection's name and indexes, declared once for all adapters. */
export interface CollectionDefinition<T extends Document> {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /**
   * `log`: rows are appended and deleted, rarely changed, which an adapter may optimize for. `documents` (the default):
   * read and changed by `_id`. `wide`: documents of some kilobytes, of which indexed paths change often.
   */
  readonly layout?: 'documents' | 'wide' | 'log';
  /**
   * For `wide`: paths that change with every message, whose parents are objects in every document. An adapter may store
   * them apart from the rest.
   */
  readonly live?: readonly string[];
  /** Always undefined: carries the document's type. */
  readonly document?: T;
}

/** False for a duplicate `_id` or unique value. */
export interface InsertResult {
  readonly inserted: boolean;
}

export interface Group {
  readonly values: readonly Scalar[];
  readonly count: number;
  readonly sum: number;
}

/** Every method rejects with AppError `unavailable` while the store is unavailable: at once. */
export interface Collection<T extends Document> {
  get(id: string): Promise<T | undefined>;
  find(filter: Filter, options?: FindOptions): Promise<T[]>;
  /**
   * The values at these paths, in their order, of what `find` would return: absent, objects and arrays become null.
   * Where an index covers the query, no document is read.
   */
  findValues(filter: Filter, paths: readonly string[], options?: FindOptions): Promise<Scalar[][]>;
  insert(document: T): Promise<InsertResult>;
  /**
   * The number of documents that the filter matched (an upsert's insert counts as 0). So a filter is a compare-and-set.
   * Rejects with `conflict` for a unique value that another document has.
   */
  update(filter: Filter, update: Update, options?: UpdateOptions): Promise<number>;
  /**
   * Unordered in effect. An operation with a duplicate `_id` or unique value changes nothing and does not stop the
   * others. Durable when it resolves.
   */
  bulk(operations: readonly BulkOperation<T>[], options?: BulkOptions): Promise<BulkResult>;
  /** Deletes the matches, at most `limit`, and returns their number. */
  delete(filter: Filter, limit?: number): Promise<number>;
  count(filter: Filter): Promise<number>;
  /**
   * The number of documents per combination of the values at these paths (absent is null), with the sum of the numbers
   * at another path where one is named.
   */
  countGroups(paths: readonly string[], filter: Filter, sumPath?: string): Promise<Group[]>;
  /**
   * Adds to the number at a path, inserting the document where it is missing, and returns the sum. No value is returned
   * twice.
   */
  incrementAndGet(id: string, path: string, by?: number): Promise<number>;
}

export interface Store extends Service {
  readonly kind: 'sqlite' | 'mongo';
  /** True where writes issued without an await in between are executed in that order and atomically. */
  readonly ordersWrites: boolean;
  /** Returns the same object for the same definition. Call it before `start`, which creates what is missing. */
  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T>;
  onConnection(listener: (up: boolean) => void): () => void;
}

export const eq = (path: string, value: Scalar): Filter => ({ op: 'eq', path, value });
export const ne = (path: string, value: Scalar): Filter => ({ op: 'ne', path, value });
export const lt = (path: string, value: string | number): Filter => ({ op: 'lt', path, value });
export const lte = (path: string, value: string | number): Filter => ({ op: 'lte', path, value });
export const gt = (path: string, value: string | number): Filter => ({ op: 'gt', path, value });
export const gte = (path: string, value: string | number): Filter => ({ op: 'gte', path, value });
export const oneOf = (path: string, values: readonly (string | number)[]): Filter => ({ op: 'in', path, values });
export const contains = (path: string, value: string): Filter => ({ op: 'contains', path, value });
export const and = (...filters: readonly Filter[]): Filter => ({ op: 'and', filters });
export const or = (...filters: readonly Filter[]): Filter => ({ op: 'or', filters });
