export { hashToken, MAX_SESSIONS_PER_KEY } from './console-session';
export type { ConsoleSession, ConsoleSessions, SignInCode, SignInCodes } from './console-session';
export { findOpenSession, recordUse } from './open-session';
export type { OpenSession, OpenSessionDeps } from './open-session';
export { CODE_MINUTES, createSignInCode, keyForLink, signInWithCode, signInWithKey } from './sign-in';
export type { SignedIn, SignInDeps } from './sign-in';
