import { createRequire } from 'node:module';
import type { Logger } from '@busbar/core';
import { pino, type DestinationStream } from 'pino';
import { errnoOf } from './errno';
import type { LogLevel } from './settings/shared-settings';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The process: in every line. */
  readonly name: string;
  /** Lines for people instead of JSON. Default: when standard error is a terminal and pino-pretty is installed. */
  readonly pretty?: boolean;
  /** Default: standard error, so that standard output holds only what a command prints. */
  readonly destination?: DestinationStream;
}

/** Keys whose values never reach a log, down to four levels deep. */
const SECRET_KEYS = [
  'authorization',
  'Authorization',
  'x-api-key',
  'cookie',
  'code',
  'apiKey',
  'secret',
  'password',
  'passwordHash',
  'authorizationKey',
  'AuthorizationKey',
  'BasicAuthPassword',
];
const STANDARD_ERROR = 2;
const CAUSES = 4;

/** JSON lines with the level as a word and an ISO time. Lines are written before the call returns: none is lost at exit. */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? pino.destination({ dest: STANDARD_ERROR, sync: true });
  const pretty = options.pretty ?? (options.destination === undefined && process.stderr.isTTY);
  return pino(
    {
      level: options.level,
      base: { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error, CAUSES) },
      redact: { paths: SECRET_KEYS.flatMap(pathsOf), censor: '[hidden]' },
    },
    (pretty ? prettyStream() : undefined) ?? destination,
  );
}

/** Not pino's own: it would keep an error's code under `code`, which is where requests carry their API key. */
function describeError(error: unknown, depth: number): unknown {
  if (typeof error !== 'object' || error === null || !('message' in error)) return error;
  const { message, stack, cause } = error as Error;
  const errorCode = errnoOf(error);
  return {
    message,
    ...(errorCode === undefined ? {} : { errorCode }),
    stack,
    ...(cause === undefined || depth <= 1 ? {} : { cause: describeError(cause, depth - 1) }),
  };
}

function pathsOf(key: string): string[] {
  const last = `["${key}"]`;
  return [last, `*${last}`, `*.*${last}`, `*.*.*${last}`];
}

function prettyStream(): DestinationStream | undefined {
  try {
    const load = createRequire(__filename);
    const pretty = load('pino-pretty') as (options: object) => DestinationStream;
    return pretty({
      destination: STANDARD_ERROR,
      sync: true,
      singleLine: true,
      // The terminal shows one process.
      ignore: 'pid,hostname,name',
      translateTime: 'SYS:HH:MM:ss',
    });
  } catch (error) {
    // A development dependency: absent from an image.
    if (errnoOf(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
