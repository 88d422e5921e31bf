import { AppError, isAppError } from '@busbar/core';
import type { RequestHandler, Response } from 'express';
import type { Exchange, Outcome } from './exchange';
import type { SendLong } from './long-response';
import type { ErrorPresenter } from './presenter';
import type { RequestNotes } from './request-log';

/** What a client waits after a 503 that names no time: the broker and the store are tried again every few seconds. */
const RETRY_AFTER_S = 5;
const PAGE_CACHE = 'public, max-age=3600';

export interface Senders {
  readonly pageHeaders: RequestHandler;
  readonly sendLong: SendLong;
}

/** Sends what a request came to. Throws only what a long answer throws while it is read. */
export async function sendOutcome(
  outcome: Outcome,
  { request, response }: Exchange,
  { pageHeaders, sendLong }: Senders,
): Promise<void> {
  if (outcome.kind === 'long') {
    await sendLong(outcome, response);
    return;
  }
  if (outcome.kind === 'value') {
    if (outcome.entityTag !== undefined) response.set('etag', outcome.entityTag);
    response.json(outcome.value);
    return;
  }
  if (outcome.kind === 'stored') {
    if (outcome.entityTag !== undefined) response.set('etag', outcome.entityTag);
    response.status(outcome.status).set({ 'content-type': outcome.contentType, 'idempotency-replayed': 'true' });
    response.send(Buffer.from(outcome.body));
    return;
  }
  if (outcome.kind === 'options') {
    response.status(204).set('allow', outcome.allow.join(', ')).end();
    return;
  }
  void pageHeaders(request, response, () => {
    const { contentType, body } = outcome.page;
    response.set({ 'content-type': contentType, 'cache-control': PAGE_CACHE }).send(body);
  });
}

/** Sends the answer to what was thrown and notes for the log what someone must see. Unknown errors show only the id. */
export function sendError(
  thrown: unknown,
  { response, notes }: Pick<Exchange, 'response' | 'notes'>,
  presenter: ErrorPresenter,
  challenge: string,
): void {
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
}

function toAppError(thrown: unknown, notes: RequestNotes): AppError {
  if (isAppError(thrown, 'unavailable')) {
    notes.failure = { cause: thrown, level: 'warn' };
    // What is away, and where, is the operator's: the log has it.
    return new AppError('unavailable', 'The service cannot do this just now. Try again.', { details: thrown.details });
  }
  const isOurs = isAppError(thrown, 'internal') || isAppError(thrown, 'invalid_configuration');
  if (isAppError(thrown) && !isOurs) return thrown;
  notes.failure = { cause: thrown, level: 'error' };
  return new AppError('internal', 'Something went wrong here. The request id is in our log.');
}

function setErrorHeaders(response: Response, { code, details }: AppError, challenge: string): void {
  const { retryAfterS, allow } = details;
  if (code === 'unauthenticated') response.set('www-authenticate', challenge);
  if (code === 'method_not_allowed' && typeof allow === 'string') response.set('allow', allow);
  if (typeof retryAfterS === 'number') response.set('retry-after', String(retryAfterS));
  else if (code === 'unavailable') response.set('retry-after', String(RETRY_AFTER_S));
}
