// Sends the response to an error, and records for the log what an operator must see.
import { AppError, isAppError } from '@busbar/core';
import type { ErrorRequestHandler, Response } from 'express';
import { exchangeOf } from '../exchange';
import type { ErrorPresenter } from './presenter';
import type { RequestNotes } from '../request-log';

/** For a 503 that names no time: connections to the broker and the store are retried every few seconds. */
const RETRY_AFTER_S = 5;

export function sendErrors(presenter: ErrorPresenter, challenge: string): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown, _request, response, _next) => {
    const { notes } = exchangeOf(response);
    const error = toAppError(thrown, notes);
    notes.errorCode = presenter.nameOf(error.code);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    setErrorHeaders(response, error, challenge);
    response
      .status(presenter.statusOf(error.code))
      .set('content-type', presenter.contentType)
      .send(Buffer.from(JSON.stringify(presenter.bodyOf({ error, requestId: notes.requestId, path: notes.path }))));
  };
}

/** An unknown error shows clients only the request id. */
function toAppError(thrown: unknown, notes: RequestNotes): AppError {
  if (isAppError(thrown, 'unavailable')) {
    notes.failure = { cause: thrown, level: 'warn' };
    // The log says what is unavailable and where.
    return new AppError(
      'unavailable',
      'The service is temporarily unavailable. Retry after the seconds in Retry-After.',
      {
        details: thrown.details,
      },
    );
  }
  const isInternal = isAppError(thrown, 'internal') || isAppError(thrown, 'invalid_configuration');
  if (isAppError(thrown) && !isInternal) return thrown;
  notes.failure = { cause: thrown, level: 'error' };
  return new AppError('internal', 'The service failed unexpectedly. Report the request id to its operator.');
}

function setErrorHeaders(response: Response, { code, details }: AppError, challenge: string): void {
  const { retryAfterS, allow } = details;
  if (code === 'unauthenticated') response.set('www-authenticate', challenge);
  if (code === 'method_not_allowed' && typeof allow === 'string') response.set('allow', allow);
  if (typeof retryAfterS === 'number') response.set('retry-after', String(retryAfterS));
  else if (code === 'unavailable') response.set('retry-after', String(RETRY_AFTER_S));
}
