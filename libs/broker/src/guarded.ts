import type { Logger } from '@busbar/core';

/** Runs a caller's callback. Its exception is logged, and does not reach the connection that it runs on. */
export function guarded(logger: Logger, what: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    logger.error({ err: error, what }, 'a callback given to the broker threw');
  }
}

/** The same for an asynchronous callback; resolves with undefined when it failed. */
export async function guardedAnswer<Answer>(
  logger: Logger,
  what: string,
  run: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  try {
    return { answer: await run() };
  } catch (error) {
    logger.error({ err: error, what }, 'a request could not be answered');
    return undefined;
  }
}
