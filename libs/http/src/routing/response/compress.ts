// Compresses responses by what the client accepts: br before gzip before deflate.
import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import type { Encoding } from '../page';

/** Smaller bodies cost more than they save. */
const MIN_BYTES = 1_024;
/** Real ones have some ten to fifty characters. */
const MAX_ACCEPT_LENGTH = 500;
/** The highest are eleven and nine. JSON shrinks to a tenth already, and the next ones take twice the processor time. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;
/** 2^18 bytes, in place of 2^22: memory of each response in progress. */
const BROTLI_WINDOW_BITS = 18;

/**
 * For JSON above 1 KB, also where it is sent in chunks. Not for event streams, whose events would wait, and not for
 * `Cache-Control: no-transform`, which responses with a secret have. The ETag of a compressed response is named after its
 * encoding, since its bytes are others (RFC 9110 clause 8.8.3.3); `preconditionFrom` accepts it.
 */
export function compressResponses(): RequestHandler {
  const compress = compression({
    threshold: MIN_BYTES,
    level: GZIP_LEVEL,
    brotli: {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS },
    },
    filter: isCompressible,
  });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] === undefined) {
      // The library would send the same. Its hooks on the response cost a sixth of the processor time of a GET.
      response.vary('Accept-Encoding');
      next();
      return;
    }
    // `on-headers` calls the last one first, so this one sees what `compress` decided.
    onHeaders(response, () => {
      tagEncoding(response);
    });
    compress(request, response, next);
  };
}

function tagEncoding(response: Response): void {
  const [tag, encoding] = [response.getHeader('etag'), response.getHeader('content-encoding')];
  if (typeof tag !== 'string' || typeof encoding !== 'string') return;
  response.setHeader('etag', tag.replace(/"$/, `-${encoding}"`));
}

/** The best encoding that the client accepts: br before gzip, whatever its order; undefined for none. */
export function acceptedEncoding(request: Request): Encoding | undefined {
  if (!isReadable(request)) return undefined;
  return (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

function isReadable({ headers }: Request): boolean {
  return (headers['accept-encoding'] ?? '').length <= MAX_ACCEPT_LENGTH;
}

function isCompressible(request: Request, response: Response): boolean {
  if (!isReadable(request)) return false;
  return /^application\/(?:problem\+)?json\b/.test(String(response.getHeader('content-type')));
}
