// The typed client of the v2 API. The cookie of the session authenticates; the header distinguishes the console's own requests
// from those that another page might forge.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/v2';
import { failureOf, noResponse, unreadableResponse, type Failure, type Problem } from './problem';
import { idleHeader } from './reader-activity';
import { serviceClock } from './service-clock';

export type Schemas = components['schemas'];

export const CONSOLE_HEADER = { 'x-busbar-console': '1' };

type SignedOutListener = () => void;

const signedOut = new Set<SignedOutListener>();

/** Calls the listener when a request is rejected for want of a session. Returns how to stop that. */
export function onSignedOut(listener: SignedOutListener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

export function reportSignedOut(): void {
  for (const listener of signedOut) listener();
}

export const api = createClient<paths>({
  baseUrl: location.origin,
  headers: CONSOLE_HEADER,
  fetch: (request) => send(request),
});

/** The data of a response. Throws a `Failure`. */
export async function dataOf<T>(reply: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await reply;
  if (response.ok && data !== undefined) return data;
  throw failureFrom(error, response);
}

/** As `dataOf`, with the ETag of the record. */
export async function versionedDataOf<T>(
  reply: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<{ record: T; etag: string }> {
  const answered = await reply;
  const record = await dataOf(Promise.resolve(answered));
  return { record, etag: answered.response.headers.get('etag') ?? '*' };
}

/** What a response that is no success means. */
export function failureFrom(body: unknown, response: Response): Failure {
  return isProblem(body) ? failureOf(body) : unreadableResponse(response);
}

/** Any request to this origin. Throws a `Failure` where no response arrives. */
export async function send(input: Request | string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetchMarked(input, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw noResponse(error);
  }
  if (response.status === 401) reportSignedOut();
  return response;
}

/** Fetches, says of a request without the reader that it is none of theirs, and takes the service's time from the response. */
export async function fetchMarked(input: Request | string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, withMark(input, init));
  serviceClock.note(response.headers.get('date'));
  return response;
}

/** Without a mark the request stays as it is: the browser takes the response that `index.html` asked for. */
function withMark(input: Request | string, init: RequestInit): RequestInit {
  const mark = idleHeader();
  if (mark === undefined) return init;
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set(...mark);
  return { ...init, headers };
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'requestId' in body && 'detail' in body;
}
