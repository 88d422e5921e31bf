// One request on its way through the app, and what it came to.
import type { Request, Response } from 'express';
import type { LongAnswer } from './long-response';
import type { Page } from './page';
import type { Query } from './parameters';
import type { RequestNotes } from './request-log';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly notes: RequestNotes;
  /** Below the base path; undefined outside of it. */
  readonly path: string | undefined;
  readonly query: Query;
}

export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly entityTag?: string }
  | ({ readonly kind: 'long' } & LongAnswer)
  /** The answer to an earlier request with the same `Idempotency-Key`. */
  | {
      readonly kind: 'stored';
      readonly status: number;
      readonly contentType: string;
      readonly body: string;
      readonly entityTag?: string;
    }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'options'; readonly allow: readonly string[] };
