import { createRequire } from 'node:module';
import type { Logger } from '@busbar/core';
import { pino, type DestinationStream } from 'pino';
import { errnoOf } from './errno';
import { hideSecrets } from './hide-secrets';
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

const STANDARD_ERROR = 2;
const CAUSES = 4;

/** JSON lines with the level as a word and an ISO time. Lines are written before the call returns: none is lost at exit. */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? pino.destination({ dest: STANDARD_ERROR, sync: true });
  const pretty = options.pretty ?? (options.destination === undefined && process.stderr.isTTY);
  const logger = pino(
    {
      level: options.level,
      base: { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: hideSecrets },
      serializers: { err: (error: unknown) => describeError(error, CAUSES) },
    },
    (pretty ? prettyStream() : undefined) ?? destination,
  );
  // Children have no formatter for their own fields. Inherited by children of children.
  const { child } = logger;
  return Object.assign(logger, {
    child(this: typeof logger, fields: Record<string, unknown>) {
      return child.call(this, hideSecrets(fields));
    },
  });
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
