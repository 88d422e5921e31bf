// The session of the console: sign in, sign out, and what its key may do.
import { CONSOLE_HEADER, failureFrom, send } from './client';

export type Permission =
  | 'chargers:read'
  | 'chargers:write'
  | 'chargers:operate'
  | 'events:read'
  | 'keys:read'
  | 'keys:write'
  | 'logs:read'
  | 'operator'
  | 'sessions:read'
  | 'sessions:write'
  | 'sites:read'
  | 'sites:write'
  | 'tags:read'
  | 'tags:write'
  | 'webhooks:read'
  | 'webhooks:write';

export interface ConsoleSession {
  readonly clientId: string;
  readonly clientName: string;
  readonly keyName: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
}

export type Credentials = { readonly clientId: string; readonly apiKey: string } | { readonly code: string };

const PATH = '/console/session';
const HEADERS = { ...CONSOLE_HEADER, 'content-type': 'application/json' };

/** The session of the cookie; null where nobody is signed in. Without headers of its own, so that it takes what `index.html` asked for. */
export async function readSession(): Promise<ConsoleSession | null> {
  const response = await send(PATH);
  if (response.status === 204 || response.status === 401) return null;
  if (!response.ok) throw failureFrom(await bodyOf(response), response);
  return (await response.json()) as ConsoleSession;
}

export async function signIn(credentials: Credentials): Promise<void> {
  const response = await send(PATH, { method: 'POST', headers: HEADERS, body: JSON.stringify(credentials) });
  if (!response.ok) throw failureFrom(await bodyOf(response), response);
}

export async function signOut(): Promise<void> {
  const response = await send(PATH, { method: 'DELETE', headers: CONSOLE_HEADER });
  if (!response.ok && response.status !== 401) throw failureFrom(await bodyOf(response), response);
}

/** Takes a one-time code out of the address (`#code=…`), so that it is neither kept in the history nor sent on. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
