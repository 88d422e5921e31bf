// A client of the v2 API. Paths, parameters, bodies and responses have types: `npm run types` makes v2.d.ts of the OpenAPI document.
import createClient from 'openapi-fetch';
import type { components, paths } from './v2';

export const origin = process.env['BUSBAR_URL'] ?? 'https://localhost:8443';
export const headers = { 'x-api-key': process.env['API_KEY'] ?? '' };

const ATTEMPTS = 5;
/** A command waits up to 60 seconds for its charger. */
const TIMEOUT_MS = 70_000;

export const api = createClient<paths>({ baseUrl: origin, headers, fetch: fetchPatiently });

/** Repeats 429 and 503 after the seconds that the service names. */
async function fetchPatiently(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request.clone(), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (![429, 503].includes(response.status) || attempt === ATTEMPTS) return response;
    await pause(Number(response.headers.get('retry-after') ?? '1') * 1000);
  }
}

/** The data of a response. Throws the problem (RFC 9457) of a refused request: decide by its `code`. */
export async function dataOf<T>(reply: Promise<{ data?: T; error?: components['schemas']['Problem'] }>): Promise<T> {
  const { data, error } = await reply;
  if (data !== undefined) return data;
  throw Object.assign(new Error(`${error?.code}: ${error?.detail} (request ${error?.requestId})`), { problem: error });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
