import type { AppError, ErrorCode } from '@busbar/core';
import type { JSONSchema } from 'json-schema-to-ts';

/** What an error answer is made of. */
export interface ErrorFacts {
  readonly error: AppError;
  readonly requestId: string;
  /** As it was asked for, without the query. */
  readonly path: string;
}

/** How one API words its errors. Each service owns one, with an exhaustive table from code to status. */
export interface ErrorPresenter {
  readonly contentType: string;
  readonly schema: JSONSchema;
  statusOf(code: ErrorCode): number;
  /** The code as this API's clients know it. */
  nameOf(code: ErrorCode): string;
  bodyOf(facts: ErrorFacts): object;
}
