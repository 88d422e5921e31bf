import type { AppError, ErrorCode } from '@busbar/core';
import type { JSONSchema } from 'json-schema-to-ts';

/** The parts of an error response. */
export interface ErrorFacts {
  readonly error: AppError;
  readonly requestId: string;
  /** As requested, without the query. */
  readonly path: string;
}

/** The errors of one API: status, code and body. */
export interface ErrorPresenter {
  readonly contentType: string;
  readonly schema: JSONSchema;
  statusOf(code: ErrorCode): number;
  /** The code as this API's clients know it. */
  nameOf(code: ErrorCode): string;
  bodyOf(facts: ErrorFacts): object;
}
