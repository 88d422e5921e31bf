// Who is signed in to the web console: a browser holds a random token in a cookie, and acts with the permissions of one API key.
import { createHash } from 'node:crypto';
import type { Timestamp } from '../timestamp';

export interface ConsoleSession {
  /** SHA-256 of the token, hexadecimal. The token itself is in the browser alone. */
  readonly hash: string;
  readonly keyId: string;
  readonly createdAt: Timestamp;
  /** Older by up to `TOUCH_EVERY_MS`. */
  readonly lastUsedAt: Timestamp;
  /** The end, however much it is used. */
  readonly expiresAt: Timestamp;
}

export interface ConsoleSessions {
  find(hash: string): Promise<ConsoleSession | undefined>;
  /** Ends the key's oldest sessions beyond `maxPerKey`. */
  insert(session: ConsoleSession, maxPerKey: number): Promise<void>;
  /** No effect on a session that has ended. */
  touch(hash: string, at: Timestamp): Promise<void>;
  /** No effect where there is none. */
  end(hash: string): Promise<void>;
}

/** A link that signs in once. */
export interface SignInCode {
  /** SHA-256 of the code, hexadecimal. */
  readonly hash: string;
  readonly keyId: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export interface SignInCodes {
  /** Deletes the oldest codes beyond `max`. */
  insert(code: SignInCode, max: number): Promise<void>;
  /** Returns the code to one caller alone, and deletes it. */
  take(hash: string): Promise<SignInCode | undefined>;
}

export const MAX_IDLE_MS = 30 * 60_000;
export const MAX_AGE_MS = 12 * 3_600_000;
/** The precision of `lastUsedAt`: not one write a request. */
export const TOUCH_EVERY_MS = 15_000;
/** One for each browser of those who share a key. */
export const MAX_SESSIONS_PER_KEY = 100;

/** One SHA-256 is enough for tokens and codes of 256 bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** Returns whether the session is valid at that time. */
export function isOpen({ lastUsedAt, expiresAt }: ConsoleSession, now: Date): boolean {
  return now.getTime() < Date.parse(expiresAt) && now.getTime() - Date.parse(lastUsedAt) < MAX_IDLE_MS;
}
