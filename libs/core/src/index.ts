export { AppError, isAppError } from './app-error';
export type { ErrorCode } from './app-error';
export { backoff } from './backoff';
export type { Backoff, BackoffOptions } from './backoff';
export { systemClock } from './clock';
export type { Clock, Timer } from './clock';
export { createId, firstIdAt, isUlid, randomToken } from './ids';
export type { Logger } from './logger';
export type { Service } from './service';
