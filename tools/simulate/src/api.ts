import { request } from 'node:https';
import { AppError } from '@busbar/core';
import { isThisMachine } from './this-machine';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export type CallApi = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Reply>;

const WITHIN_MS = 30_000;
const BODY_CHARACTERS = 1_000_000;
const ATTEMPTS = 20;

/** Calls the v2 API with a key. Retries after 429 and 503 as Retry-After says. */
export function createApi(origin: string, key: string): CallApi {
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt += 1) {
      const { retryAfterS, ...reply } = await once(new URL(`/v2${path}`, origin), method, key, body);
      if (retryAfterS === undefined || attempt === ATTEMPTS) return reply;
      await new Promise((resolve) => setTimeout(resolve, retryAfterS * 1000));
    }
  };
}

function once(
  url: URL,
  method: string,
  key: string,
  body: unknown,
): Promise<Reply & { readonly retryAfterS: number | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      timeout: WITHIN_MS,
      // The one-process mode's certificate is self-signed; anywhere else it must be good.
      rejectUnauthorized: !isThisMachine(url),
    });
    const fail = (cause: Error): void =>
      reject(new AppError('unavailable', `${url.origin} cannot be reached: ${cause.message}.`, { cause }));
    outgoing.on('error', fail);
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', fail);
      response.on('data', (chunk: string) => (text = (text + chunk).slice(0, BODY_CHARACTERS)));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const retryAfterS = status === 429 || status === 503 ? Number(response.headers['retry-after'] ?? 1) : undefined;
        resolve({ status, body: parse(text), retryAfterS });
      });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
