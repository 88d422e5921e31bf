// `Idempotency-Key`: a repeated request gets the stored response of the first one. It follows
// draft-ietf-httpapi-idempotency-key-header, but quotes are part of the key. The first request claims its key in the store
// before it does anything, so this holds over all API processes.
import { createHash, randomUUID } from 'node:crypto';
import type { IdempotencyClaim, IdempotencyStore } from '@busbar/contracts';
import { AppError, isAppError, type Clock, type ErrorCode } from '@busbar/core';
import type { Request } from 'express';
import type { Credentials } from './access';
import { credentialsOf, type Exchange, type Outcome, type StoredSuccess } from '../exchange';
import { refusalOf } from '../request/issue';
import type { ErrorPresenter } from '../response/presenter';
import type { Caller } from '../../limits/request-limits';
import { seal, unseal } from './seal';

/** 1 to 255 printable ASCII characters, no space at either end. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~](?:[ -~]{0,253}[!-~])?$';

/** The outcome is unknown: a retry is a new attempt. */
export const UNKNOWN_OUTCOME: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unavailable',
  'invalid_configuration',
]);

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
const RETENTION_MS = 24 * 3_600_000;
/** An attempt that runs longer died with its process: no request takes that long. */
const DEAD_AFTER_MS = 120_000;
const RETRY_AFTER_S = 1;

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** The caller's own secret. Responses that reveal a secret are sealed with it. */
  readonly secretOf: (credentials: Credentials) => string;
}

/** An error is stored without its body, which names the id of the request that it responds to. */
type StoredResponse = StoredSuccess | StoredError;

interface StoredError {
  readonly error: Pick<AppError, 'code' | 'message' | 'details'>;
}

/** All API keys of a client share their `Idempotency-Key`s, except on routes that reveal a secret. */
export interface IdempotencyScope {
  readonly caller: Caller;
  readonly revealsSecret: boolean;
}

/** Runs a request once for its key, or resolves to the first one's response. */
export type Once = (exchange: Exchange, scope: IdempotencyScope, run: () => Promise<Outcome>) => Promise<Outcome>;

export function createOnce(options: IdempotencyOptions, presenter: ErrorPresenter, clock: Clock): Once {
  const { store } = options;

  async function runFirstTime(
    exchange: Exchange,
    claim: IdempotencyClaim,
    sealKey: string,
    run: () => Promise<Outcome>,
  ) {
    try {
      const outcome = await run();
      await complete(exchange, claim, sealKey, successOf(outcome));
      return outcome;
    } catch (error) {
      const stored = errorToStore(error);
      if (stored === undefined) await logFailure(exchange, store.release(claim.id, claim.attempt));
      else await complete(exchange, claim, sealKey, stored);
      throw error;
    }
  }

  /** The request has taken effect, so a failure to store its response is logged and the response is sent. */
  function complete(
    exchange: Exchange,
    { id, attempt }: IdempotencyClaim,
    sealKey: string,
    response: StoredResponse,
  ): Promise<void> {
    return logFailure(exchange, store.complete(id, attempt, seal(JSON.stringify(response), sealKey)));
  }

  return async (exchange, { caller, revealsSecret }, run) => {
    const { request } = exchange;
    const key = keyFrom(request.headers['idempotency-key']);
    if (key === undefined) return run();
    const now = clock.now().getTime();
    // The store has only a hash of the Idempotency-Key, so a reader of the store cannot open the response.
    const secret = revealsSecret ? options.secretOf(credentialsOf(exchange)) : caller.client;
    const claim: IdempotencyClaim = {
      id: hashOf(caller.client, key),
      fingerprint: fingerprintOf(request, revealsSecret ? hashOf(caller.key, secret) : ''),
      attempt: randomUUID(),
      at: isoOf(now),
      expiresAt: isoOf(now + RETENTION_MS),
    };
    const sealKey = `${secret}\n${key}`;
    const found = await store.claim(claim, isoOf(now - DEAD_AFTER_MS));
    if (found.outcome === 'claimed') return runFirstTime(exchange, claim, sealKey, run);
    refuseOther(found.fingerprint === claim.fingerprint);
    if (found.outcome === 'completed')
      return replayOf(JSON.parse(unseal(found.response, sealKey)) as StoredResponse, exchange, presenter);
    throw new AppError(
      'request_in_progress',
      'The first request with this Idempotency-Key is still in progress. Retry after the seconds in Retry-After.',
      { details: { retryAfterS: RETRY_AFTER_S } },
    );
  };
}

function keyFrom(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw refusalOf([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }]);
}

function refuseOther(isSame: boolean): void {
  if (isSame) return;
  throw new AppError(
    'idempotency_key_reused',
    'This client used this Idempotency-Key for another request within 24 hours. Use a new key for each new request.',
  );
}

/** Handlers return values only. */
function successOf(outcome: Outcome): StoredSuccess {
  if (outcome.kind !== 'value') throw new AppError('internal', 'only a value can be stored');
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(outcome.value),
    ...(outcome.entityTag === undefined ? {} : { entityTag: outcome.entityTag }),
  };
}

/** Undefined for errors that ask for a retry or leave the outcome unknown: a retry must then be a new attempt. */
function errorToStore(error: unknown): StoredError | undefined {
  if (!isAppError(error) || UNKNOWN_OUTCOME.has(error.code)) return undefined;
  // An error with Retry-After changed nothing: a command that was not sent, a concurrent change.
  if (error.details['retryAfterS'] !== undefined) return undefined;
  const { code, message, details } = error;
  return { error: { code, message, details } };
}

function replayOf(stored: StoredResponse, { notes }: Exchange, presenter: ErrorPresenter): Outcome {
  if (!('error' in stored)) return { kind: 'stored', ...stored };
  const { code, message, details } = stored.error;
  const error = new AppError(code, message, { details });
  notes.errorCode = presenter.nameOf(code);
  return {
    kind: 'stored',
    status: presenter.statusOf(code),
    contentType: presenter.contentType,
    body: JSON.stringify(presenter.bodyOf({ error, requestId: notes.requestId, path: notes.path })),
  };
}

async function logFailure({ notes }: Exchange, work: Promise<void>): Promise<void> {
  await work.catch((cause: unknown) => {
    notes.failure = { cause, level: 'warn' };
  });
}

/** `If-Match` is part of the request. `key` is empty where any API key of the client may repeat the request. */
function fingerprintOf(request: Request, key: string): string {
  const ifMatch = request.headers['if-match'] ?? '';
  return hashOf(request.method, request.originalUrl, ifMatch, key, bodyOf(request.body));
}

/** The bytes as received; empty without a body. */
function bodyOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('base64') : '';
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
