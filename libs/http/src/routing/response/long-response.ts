// Responses of any length: read, serialized and sent in chunks, so that a process never holds a whole one. A short one is sent
// like any other response. A failure after the status line breaks the connection: clients detect a chunked body without its
// last chunk (RFC 9112 clause 7.1) as incomplete.
import { AppError, createConcurrencyLimiter, type Clock, type ConcurrencyLimiter } from '@busbar/core';
import type { Response } from 'express';
import { jsonText } from './json-text';

/** A response that ends within the first chunk is short. */
const CHUNK_CHARACTERS = 65_536;
const RETRY_AFTER_S = 5;
const LIMITS = {
  /** Concurrent long responses of one caller: one may cost a thousand times as much as another request. */
  concurrency: 4,
  maxQueue: 200,
  waitMs: 30_000,
  /** The operating system reports progress every few hundred kB: without any for so long, the client is gone. */
  stallMs: 300_000,
};

export interface LongResponse {
  /** Begins to read. Resolves to the value, with sequences in place of arrays. */
  readonly read: () => unknown;
  /** The API key that it counts for. */
  readonly caller: string;
}

/**
 * Sends a response as JSON when the caller's limiter admits it. Throws `rate_limited` when the queue is full or the
 * wait too long. Throws the errors of reading, perhaps after a part of the response was sent.
 */
export type SendLong = (long: LongResponse, response: Response) => Promise<void>;

export function createLongResponses(clock: Clock, limits: Partial<typeof LIMITS> = {}): SendLong {
  const { concurrency, maxQueue, waitMs, stallMs } = { ...LIMITS, ...limits };
  const callers = new Map<string, { readonly limiter: ConcurrencyLimiter; active: number }>();

  /** Runs in the caller's limiter, which exists while it is in use. False when the work was not run. */
  async function runLimited(caller: string, work: () => Promise<void>): Promise<boolean> {
    const wait = { ms: waitMs, clock };
    const known = callers.get(caller) ?? {
      limiter: createConcurrencyLimiter({ concurrency, maxQueue, wait }),
      active: 0,
    };
    callers.set(caller, known);
    known.active += 1;
    try {
      return (await known.limiter.run(work)) !== 'busy';
    } finally {
      known.active -= 1;
      if (known.active === 0) callers.delete(caller);
    }
  }

  return async ({ read, caller }, response) => {
    const isDone = await runLimited(caller, async () => {
      if (response.destroyed) return;
      const chunks = chunksOf(jsonText(await read()));
      try {
        await send(chunks, response);
      } finally {
        // Ends the reading also after a failure.
        await chunks.return(undefined);
      }
    });
    if (isDone) return;
    throw new AppError(
      'rate_limited',
      'This API key has too many long responses in progress. Retry after the seconds in Retry-After.',
      {
        details: { retryAfterS: RETRY_AFTER_S },
      },
    );
  };

  async function send(chunks: AsyncGenerator<string>, response: Response): Promise<void> {
    const first = await chunks.next();
    let next = first.done === true ? first : await chunks.next();
    response.set('content-type', 'application/json; charset=utf-8');
    if (next.done === true) {
      response.send(first.value ?? '');
      return;
    }
    if (response.req.method !== 'HEAD') {
      const write = createWriter(response);
      await write(first.value as string);
      for (; next.done !== true && !response.destroyed; next = await chunks.next()) await write(next.value);
    }
    // The response to a HEAD may omit its length (RFC 9110 clause 9.3.2).
    response.end();
  }

  /** Its promise resolves when the chunk is written, or the connection is closed. */
  function createWriter(response: Response): (chunk: string) => Promise<void> {
    let wake = (): void => undefined;
    // Once for all chunks: compression moves listeners to its stream, from which they cannot be removed.
    response.on('drain', () => wake()).on('close', () => wake());
    return (chunk) => {
      if (response.destroyed || response.write(chunk)) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = clock.after(stallMs, () => response.destroy());
        wake = () => {
          timer.cancel();
          resolve();
        };
      });
    };
  }
}

async function* chunksOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
