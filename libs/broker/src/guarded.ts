import type { Logger } from '@busbar/core';

/** Runs what a caller gave. Its exception is its own fault: logged, and kept from the connection that it runs on. */
export function guarded(logger: Logger, what: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    logger.error({ err: error, what }, 'a callback given to the broker threw');
  }
}

/** The same for one that is asynchronous; resolves with undefined when it failed. */
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
