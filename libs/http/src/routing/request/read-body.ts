import { AppError } from '@busbar/core';
import { parse as parseMediaType } from 'content-type';
import { raw, type Request, type RequestHandler, type Response } from 'express';

/** Characters of the Content-Type header. No accepted media type needs more. */
const MAX_MEDIA_TYPE_LENGTH = 256;
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/**
 * Reads a JSON body. Throws `body_too_large`, then `unsupported_media_type`, then `invalid_json`. Undefined without a body. The
 * limit of a compressed body is on its decompressed size.
 */
export function createBodyReader(limitBytes: number): BodyReader {
  const readBytes = raw({ type: () => true, limit: limitBytes });
  return async (request, response) => {
    if (Number(request.headers['content-length']) > limitBytes) throw tooLarge(limitBytes);
    const bytes = await bytesOf(readBytes, request, response).catch((error: unknown) => {
      throw translate(error, limitBytes);
    });
    if (bytes === undefined) return undefined;
    if (!isJson(request.headers['content-type'] ?? '')) {
      throw unsupported('The media type is not supported. Send the body as application/json in UTF-8.');
    }
    return parse(bytes);
  };
}

/** JSON is UTF-8 (RFC 8259 clause 8.1) and has no parameter but the redundant `charset`. */
function isJson(header: string): boolean {
  if (header.length > MAX_MEDIA_TYPE_LENGTH) return false;
  const { type, parameters } = parseMediaType(header);
  if (type !== 'application/json') return false;
  return Object.entries(parameters).every(([name, value]) => name === 'charset' && UTF_8.has(value.toLowerCase()));
}

function bytesOf(read: RequestHandler, request: Request, response: Response): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error instanceof Error) reject(error);
      else resolve(Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined);
    };
    void read(request, response, done);
  });
}

function parse(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON. Send JSON in UTF-8.', { cause });
  }
  if (ESCAPED_SURROGATE.test(text) && hasLoneSurrogate(value)) {
    throw new AppError('invalid_json', 'The body contains half of a surrogate pair. Send complete Unicode characters.');
  }
  return value;
}

/** Iterative: 100 kB of brackets nest deeper than the stack. */
function hasLoneSurrogate(root: unknown): boolean {
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string' && LONE_SURROGATE.test(value)) return true;
    if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) rest.push(key, item);
    }
  }
  return false;
}

function translate(error: unknown, limitBytes: number): unknown {
  const { type, status } = error as { type?: unknown; status?: unknown };
  if (type === 'entity.too.large') return tooLarge(limitBytes);
  if (type === 'encoding.unsupported')
    return unsupported(
      'The content encoding is not supported. Send the body uncompressed, or with gzip, deflate or br.',
    );
  // Other errors with a status are the client's: a truncated body, a wrong length, invalid compression.
  return status === 400
    ? new AppError('invalid_json', 'The body could not be read completely. Check its length and compression.', {
        cause: error,
      })
    : error;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('body_too_large', `The body is too large. Send at most ${String(limitBytes)} bytes.`);
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', message);
}
