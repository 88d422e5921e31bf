// Answers of any length: read, put into words and sent a piece at a time, so that a process never holds one whole. What is
// short is sent as any other answer. What fails once the status is out breaks the connection: a chunked body (RFC 9112 clause
// 7.1) without its last chunk is incomplete, and told as that.
import { AppError, createConcurrencyLimiter, type Clock, type ConcurrencyLimiter } from '@busbar/core';
import type { Response } from 'express';
import { jsonText } from './json-text';

/** What is put together before it is sent: whatever ends within is short. */
const PIECE_CHARACTERS = 65_536;
/** One may cost a thousand times as much as another request: of one caller these are read and sent side by side. */
const CONCURRENCY = 4;
const MAX_WAITING = 200;
const WAIT_MS = 30_000;
/** The system tells of what was taken some hundred kB at a time: who takes next to nothing for so long has gone. */
const STALL_MS = 300_000;
const RETRY_AFTER_S = 5;

export interface LongAnswerLimits {
  readonly concurrency?: number;
  readonly maxQueue?: number;
  readonly waitMs?: number;
  readonly stallMs?: number;
}

export interface LongAnswer {
  /** Begins to read: gives the value, with sequences in place of arrays. */
  readonly read: () => unknown;
  /** Who it counts for. */
  readonly caller: string;
}

/**
 * Sends an answer as JSON when its turn has come. Throws `rate_limited` when too many of the caller's wait, and what reading
 * throws; then the response may be sent in part.
 */
export type SendLong = (answer: LongAnswer, response: Response) => Promise<void>;

export function createLongAnswers(clock: Clock, limits: LongAnswerLimits = {}): SendLong {
  const { concurrency = CONCURRENCY, maxQueue = MAX_WAITING, waitMs = WAIT_MS, stallMs = STALL_MS } = limits;
  const callers = new Map<string, { readonly limiter: ConcurrencyLimiter; answers: number }>();

  /** In the lane of the caller, which is there as long as he has answers under way. False when nothing was done. */
  async function inTurn(caller: string, work: () => Promise<void>): Promise<boolean> {
    const wait = { ms: waitMs, clock };
    const known = callers.get(caller) ?? {
      limiter: createConcurrencyLimiter({ concurrency, maxQueue, wait }),
      answers: 0,
    };
    callers.set(caller, known);
    known.answers += 1;
    try {
      return (await known.limiter.run(work)) !== 'busy';
    } finally {
      known.answers -= 1;
      if (known.answers === 0) callers.delete(caller);
    }
  }

  return async ({ read, caller }, response) => {
    const isDone = await inTurn(caller, async () => {
      if (response.destroyed) return;
      const pieces = piecesOf(jsonText(await read()));
      try {
        await send(pieces, response);
      } finally {
        // Whatever came of it, what is read is ended.
        await pieces.return(undefined);
      }
    });
    if (isDone) return;
    throw new AppError('rate_limited', 'Too many long answers are wanted at once with this key.', {
      details: { retryAfterS: RETRY_AFTER_S },
    });
  };

  async function send(pieces: AsyncGenerator<string>, response: Response): Promise<void> {
    const first = await pieces.next();
    let next = first.done === true ? first : await pieces.next();
    response.set('content-type', 'application/json; charset=utf-8');
    if (next.done === true) {
      response.send(first.value ?? '');
      return;
    }
    if (response.req.method !== 'HEAD') {
      await write(first.value as string, response);
      for (; next.done !== true && !response.destroyed; next = await pieces.next()) await write(next.value, response);
    }
    // Of a HEAD the length stays unsaid (RFC 9110 clause 9.3.2). To one who has gone this says nothing.
    response.end();
  }

  /** Resolves when the piece is with the system, or the caller has gone or was cut off. */
  function write(piece: string, response: Response): Promise<void> {
    if (response.destroyed || response.write(piece)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = clock.after(stallMs, () => response.destroy());
      const done = (): void => {
        timer.cancel();
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }
}

async function* piecesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const text of texts) {
    held += text;
    if (held.length < PIECE_CHARACTERS) continue;
    yield held;
    held = '';
  }
  if (held !== '') yield held;
}
