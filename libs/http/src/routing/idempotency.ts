// `Idempotency-Key`: a request that is sent again is answered again, not done again. As draft-ietf-httpapi-idempotency-key-
// header has it, but for the quotes around the key, which are taken as part of it. The first request claims the key in the
// store before anything is done; so it holds over all API processes.
import { createHash, randomUUID } from 'node:crypto';
import { AppError, isAppError, type Clock, type ErrorCode } from '@busbar/core';
import type { Request } from 'express';
import type { Credentials } from './access';
import type { Exchange, Outcome } from './exchange';
import { refusalOf } from './issue';
import type { ErrorPresenter } from './presenter';
import type { Caller } from '../limits/request-limits';
import { seal, unseal } from './seal';

/** 1 to 255 printable ASCII characters, no space at either end. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~](?:[ -~]{0,253}[!-~])?$';

/** What these tell is no outcome: a second attempt is a new one, whoever refused. */
export const NOTHING_KNOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unavailable',
  'invalid_configuration',
]);

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
const KEPT_MS = 24 * 3_600_000;
/** A first attempt that was not heard of for longer died with its process: no request of ours takes that long. */
const DEAD_AFTER_MS = 120_000;
const RETRY_AFTER_S = 1;

/** What is kept of the first request with a key. */
export interface AnswerClaim {
  /** A hash: neither the caller nor the key shows. */
  readonly id: string;
  /** Of the whole request: another one may not have the key. */
  readonly fingerprint: string;
  /** Tells this attempt from one that takes over after it died. */
  readonly attempt: string;
  /** ISO timestamps in UTC, as all that follow. */
  readonly at: string;
  readonly expiresAt: string;
}

export type ClaimResult =
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'running'; readonly fingerprint: string }
  | { readonly outcome: 'answered'; readonly fingerprint: string; readonly answer: string };

/** Where first answers are kept, the same for all processes. */
export interface IdempotencyStore {
  /** What expired, or has been running since before `deadBefore`, is taken over: by one of several that try. */
  claim(claim: AnswerClaim, deadBefore: string): Promise<ClaimResult>;
  /** Changes nothing when the attempt was taken over. */
  keep(id: string, attempt: string, answer: string): Promise<void>;
  release(id: string, attempt: string): Promise<void>;
}

export interface IdempotencyOptions {
  readonly answers: IdempotencyStore;
  /** What only this caller knows. Responses that reveal a secret are sealed with it. */
  readonly secretOf: (credentials: Credentials) => string;
}

/** A refusal is kept as what it says, not as it was worded: its answer tells the id of the request that it answers. */
type StoredResponse = IdempotencyRecord | StoredRefusal;

interface IdempotencyRecord {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly entityTag?: string;
}

interface StoredRefusal {
  readonly refusal: Pick<AppError, 'code' | 'message' | 'details'>;
}

/** Whose `Idempotency-Key` it is: all API keys of a client share them, but for routes that reveal a secret. */
export interface IdempotencyScope {
  readonly caller: Caller;
  readonly revealsSecret: boolean;
}

/** Runs a request once for its key, or gives the first one's answer. */
export type Once = (exchange: Exchange, scope: IdempotencyScope, run: () => Promise<Outcome>) => Promise<Outcome>;

export function createOnce(options: IdempotencyOptions, presenter: ErrorPresenter, clock: Clock): Once {
  const { answers } = options;

  async function runFirstTime(exchange: Exchange, claim: AnswerClaim, sealKey: string, run: () => Promise<Outcome>) {
    try {
      const outcome = await run();
      await keep(exchange, claim, sealKey, answerOf(outcome));
      return outcome;
    } catch (error) {
      const refusal = refusalToStore(error);
      if (refusal === undefined) await quietly(exchange, answers.release(claim.id, claim.attempt));
      else await keep(exchange, claim, sealKey, refusal);
      throw error;
    }
  }

  /** What was done is done: that its answer could not be kept is the operator's to know, not a reason to hide it. */
  function keep(exchange: Exchange, claim: AnswerClaim, sealKey: string, answer: StoredResponse): Promise<void> {
    return quietly(exchange, answers.keep(claim.id, claim.attempt, seal(JSON.stringify(answer), sealKey)));
  }

  return async (exchange, { caller, revealsSecret }, run) => {
    const { request, query } = exchange;
    const key = keyFrom(request.headers['idempotency-key']);
    if (key === undefined) return run();
    const now = clock.now().getTime();
    const claim: AnswerClaim = {
      id: hashOf(caller.client, key),
      fingerprint: fingerprintOf(request, revealsSecret ? caller.key : ''),
      attempt: randomUUID(),
      at: isoOf(now),
      expiresAt: isoOf(now + KEPT_MS),
    };
    // The Idempotency-Key is kept as a hash alone, so whoever reads the store cannot read the response.
    const secret = revealsSecret ? options.secretOf({ headers: request.headers, query: query.values }) : caller.client;
    const sealKey = `${secret}\n${key}`;
    const found = await answers.claim(claim, isoOf(now - DEAD_AFTER_MS));
    if (found.outcome === 'claimed') return runFirstTime(exchange, claim, sealKey, run);
    refuseOther(found.fingerprint === claim.fingerprint);
    if (found.outcome === 'answered')
      return replayOf(idempotencyRecord(unseal(found.answer, sealKey)), exchange, presenter);
    throw new AppError('request_in_progress', 'The first request with this Idempotency-Key is still under way.', {
      details: { retryAfterS: RETRY_AFTER_S },
    });
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
    'This Idempotency-Key was used for another request of this client within 24 hours. Use a new one for each new request.',
  );
}

/** Routes that take the key give values. */
function answerOf(outcome: Outcome): IdempotencyRecord {
  if (outcome.kind !== 'value') throw new AppError('internal', 'only a value can be kept');
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(outcome.value),
    ...(outcome.entityTag === undefined ? {} : { entityTag: outcome.entityTag }),
  };
}

/** Undefined for what says "try again", or that we do not know: there a second attempt must be a new one. */
function refusalToStore(error: unknown): StoredRefusal | undefined {
  if (!isAppError(error) || NOTHING_KNOWN.has(error.code)) return undefined;
  // Whoever names a time to come back has done nothing: a command that was not sent, a change lost to others.
  if (error.details['retryAfterS'] !== undefined) return undefined;
  const { code, message, details } = error;
  return { refusal: { code, message, details } };
}

function replayOf(stored: StoredResponse, { notes }: Exchange, presenter: ErrorPresenter): Outcome {
  if (!('refusal' in stored)) return { kind: 'stored', ...stored };
  const { code, message, details } = stored.refusal;
  const error = new AppError(code, message, { details });
  notes.errorCode = presenter.nameOf(code);
  return {
    kind: 'stored',
    status: presenter.statusOf(code),
    contentType: presenter.contentType,
    body: JSON.stringify(presenter.bodyOf({ error, requestId: notes.requestId, path: notes.path })),
  };
}

async function quietly({ notes }: Exchange, work: Promise<void>): Promise<void> {
  await work.catch((cause: unknown) => {
    notes.failure = { cause, level: 'warn' };
  });
}

/** It was written by `seal`, which proves that nobody changed it. */
function idempotencyRecord(text: string): StoredResponse {
  return JSON.parse(text) as StoredResponse;
}

/** `If-Match` decides what a request does, as its body does. `key` is empty where any API key of the client may repeat it. */
function fingerprintOf(request: Request, key: string): string {
  const ifMatch = request.headers['if-match'] ?? '';
  return hashOf(request.method, request.originalUrl, ifMatch, key, bodyOf(request.body));
}

/** The bytes as they came: the same body is the same text. Without one, nothing. */
function bodyOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('base64') : '';
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
