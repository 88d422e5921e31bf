// Answers of any length: read, put into words and sent a piece at a time, so that a process never holds one whole. What is
// short is sent as any other answer. What fails once the status is out breaks the connection: a chunked body (RFC 9112 clause
// 7.1) without its last chunk is no answer, and no client takes it for one.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@busbar/core';
import type { Response } from 'express';
import { jsonText } from './json-text';

/** What is put together before it is sent: whatever ends within is short. */
const PIECE_CHARACTERS = 65_536;
/** A long answer may be asked for as often as a short one and costs a thousand times as much. */
const MOST_AT_ONCE = 2;
/** A caller who takes nothing for so long has gone, or holds on to what others wait for. */
const STALL_MS = 30_000;
const TRY_AGAIN_S = 5;

export interface LongAnswerLimits {
  /** Under way for one caller, beyond their first piece. */
  readonly mostAtOnce?: number;
  readonly stallMs?: number;
}

/** Sends a value as JSON; `caller` is who it counts for. Throws what reading it throws, then with the response broken off. */
export type SendLong = (value: unknown, response: Response, caller: string) => Promise<void>;

export function createLongAnswers({ mostAtOnce = MOST_AT_ONCE, stallMs = STALL_MS }: LongAnswerLimits = {}): SendLong {
  const underWay = new Map<string, number>();

  return async (value, response, caller) => {
    const pieces = piecesOf(jsonText(value));
    const first = await pieces.next();
    response.set('content-type', 'application/json; charset=utf-8');
    const second = first.done === true ? first : await pieces.next();
    if (second.done === true) {
      response.send(first.value ?? '');
      return;
    }
    const others = underWay.get(caller) ?? 0;
    if (others >= mostAtOnce) {
      await pieces.return(undefined);
      throw new AppError('rate_limited', 'Too many long answers at once with this key. Take one after the other.', {
        details: { retryAfterS: TRY_AGAIN_S },
      });
    }
    underWay.set(caller, others + 1);
    try {
      await sendPieces([first.value as string, second.value], pieces, response);
    } finally {
      const left = (underWay.get(caller) ?? 1) - 1;
      if (left > 0) underWay.set(caller, left);
      else underWay.delete(caller);
    }
  };

  async function sendPieces(begin: readonly string[], rest: AsyncGenerator<string>, response: Response): Promise<void> {
    response.setTimeout(stallMs, () => response.destroy());
    async function* all(): AsyncGenerator<string> {
      yield* begin;
      yield* rest;
    }
    try {
      // Reads on when the caller has taken what was sent, and ends the sequences when he has gone.
      await pipeline(Readable.from(all(), { objectMode: true, highWaterMark: 1 }), response);
    } catch (error) {
      // The caller's doing, and told by the request's log line.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
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
