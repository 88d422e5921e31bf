import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { AppError, parseJson } from '@busbar/core';
import { explainFailure } from './connection-failure';
import type { ServiceTls } from './service-tls';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export type CallApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<Reply>;

export interface ApiOptions {
  /** `https://host:port`, without a path. */
  readonly origin: string;
  readonly key: string;
  readonly tls: ServiceTls;
}

const WITHIN_MS = 30_000;
const BODY_CHARACTERS = 1_000_000;
const ATTEMPTS = 20;

/** Calls the v2 API with a key. Retries after 429 and 503 as Retry-After says. */
export function createApi({ origin, key, tls }: ApiOptions): CallApi {
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt += 1) {
      const { retryAfterS, ...reply } = await once(new URL(`/v2${path}`, origin), { method, key, tls }, body);
      if (retryAfterS === undefined || attempt === ATTEMPTS) return reply;
      await new Promise((resolve) => setTimeout(resolve, retryAfterS * 1000));
    }
  };
}

function once(
  url: URL,
  { method, key, tls }: Omit<ApiOptions, 'origin'> & { readonly method: string },
  body: unknown,
): Promise<Reply & { readonly retryAfterS: number | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'http:' ? requestPlain : request)(url, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      timeout: WITHIN_MS,
      ...tls,
    });
    const fail = (cause: Error): void =>
      reject(
        new AppError('unavailable', `The API at ${url.origin} cannot be reached: ${explainFailure(cause)}.`, { cause }),
      );
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
        resolve({ status, body: parseJson(text) ?? text, retryAfterS });
      });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
