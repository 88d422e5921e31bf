// The messages between the store and its engine, which runs in its own thread (see engine/). All of them survive
// structured cloning; updates, and documents with nested values, are JSON text, which the engine stores unchanged.
import type { ErrorCode } from '@busbar/core';
import type { CollectionDefinition, Document, FindOptions, Filter, Scalar } from '../port';
import type { SqlValue } from './engine/database';

export interface EngineOptions {
  readonly file: string;
  readonly maxBytes?: number;
  /** A request names a collection by its index here. */
  readonly definitions: readonly CollectionDefinition<Document>[];
}

/** A new document: its id, its JSON text, the values of the table's real columns. */
export type NewRow = readonly [id: string, text: string, ...columns: SqlValue[]];

/** A change of one document; filter and update as JSON text. */
export interface ChangeText {
  readonly filter: string;
  readonly update: string;
}

/** New documents whose values are scalars: the value of each key, document after document; undefined where it has none. */
export interface FlatDocuments {
  readonly keys: readonly string[];
  readonly values: readonly (Scalar | undefined)[];
}

/** Changes of documents found by `eq` on the same paths: the value of each path, change after change. */
export interface FlatChanges {
  readonly paths: readonly string[];
  readonly values: readonly Scalar[];
  /** JSON texts. */
  readonly updates: readonly string[];
}

export type BulkRequest =
  | { readonly op: 'bulk'; readonly at: number; readonly items: readonly (NewRow | ChangeText)[] }
  /** Bulks of one kind, as a batch of messages has of most collections: flat, because cloning and JSON cost per object. */
  | { readonly op: 'insertEach'; readonly at: number; readonly documents: FlatDocuments }
  | { readonly op: 'changeEach'; readonly at: number; readonly changes: FlatChanges };

export type WriteRequest =
  | { readonly op: 'change'; readonly at: number; readonly change: ChangeText; readonly upsert: boolean }
  | { readonly op: 'changeMany'; readonly at: number; readonly filter: Filter; readonly update: string }
  | BulkRequest
  /** A bulk, and then the inserts: all of it where it matched so many documents and no insert is a duplicate, else nothing. */
  | {
      readonly op: 'bulkThen';
      readonly bulk: BulkRequest;
      readonly matches: number;
      readonly then: { readonly at: number; readonly documents: FlatDocuments; readonly count: number };
    }
  | { readonly op: 'delete'; readonly at: number; readonly filter: Filter; readonly limit: number | undefined }
  | { readonly op: 'increment'; readonly at: number; readonly change: ChangeText; readonly path: string }
  /** Writes to the file and changes nothing: tests whether it accepts writes. */
  | { readonly op: 'probe' };

export type ReadRequest =
  | { readonly op: 'get'; readonly at: number; readonly id: string }
  | { readonly op: 'find'; readonly at: number; readonly filter: Filter; readonly options: FindOptions }
  | {
      readonly op: 'findValues';
      readonly at: number;
      readonly paths: readonly string[];
      readonly filter: Filter;
      readonly options: FindOptions;
    }
  | { readonly op: 'count'; readonly at: number; readonly filter: Filter }
  | {
      readonly op: 'countGroups';
      readonly at: number;
      readonly paths: readonly string[];
      readonly filter: Filter;
      readonly sumPath: string | undefined;
    }
  /** Checkpoints the data file and leaves it unchanged until `release`, so that it can be copied. */
  | { readonly op: 'hold' | 'release' };

/** The requests of one turn of the event loop: their writes are executed in order, all or none. */
export interface Turn {
  readonly writes: readonly (readonly [call: number, request: WriteRequest])[];
  readonly reads: readonly (readonly [call: number, request: ReadRequest])[];
}

export interface ErrorText {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The cause, for the log. */
  readonly cause?: string;
}

export type Reply = readonly [call: number, value: unknown, error?: ErrorText];

export interface Replies {
  readonly replies: readonly Reply[];
  /** True where there were writes. `failure` is the error that failed all of them. */
  readonly wrote: boolean;
  readonly failure?: ErrorText;
}

/** Without a turn: close. */
export interface ToThread {
  readonly turn?: Turn;
}

export type FromThread =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly error: ErrorText }
  | { readonly kind: 'replies'; readonly replies: Replies }
  | { readonly kind: 'closed'; readonly warning?: string };
