// Applies a batch whatever happens: waits for a store that is away, and takes a message out that fails by its own fault.
import type { ReportEnvelope } from '@busbar/contracts';
import { isAppError } from '@busbar/core';

export interface ApplyWithRetryDeps<Result> {
  readonly apply: (reports: readonly ReportEnvelope[]) => Promise<readonly Result[]>;
  /** Resolves when the dead-letter queue has it. */
  readonly deadLetter: (report: ReportEnvelope, error: unknown) => Promise<void>;
}

/** How often a single message may fail by its own fault before it is taken out. */
export const POISON_ATTEMPTS = 5;

/**
 * Applies the reports in order and gives the results of those that were applied. An error of the store is passed on: the
 * whole batch comes again. Any other error was caused by a message: the batch is halved until it stands alone, and after
 * five failures of its own it is buried, while those after it go on.
 */
export async function applyWithRetry<Result>(
  reports: readonly ReportEnvelope[],
  deps: ApplyWithRetryDeps<Result>,
): Promise<readonly Result[]> {
  try {
    return await deps.apply(reports);
  } catch (error) {
    if (isAppError(error, 'unavailable')) throw error;
    const [only] = reports;
    if (reports.length === 1 && only !== undefined) return applyAlone(only, error, deps);
    const middle = reports.length >> 1;
    const first = await applyWithRetry(reports.slice(0, middle), deps);
    return [...first, ...(await applyWithRetry(reports.slice(middle), deps))];
  }
}

async function applyAlone<Result>(
  report: ReportEnvelope,
  firstError: unknown,
  deps: ApplyWithRetryDeps<Result>,
): Promise<readonly Result[]> {
  let error = firstError;
  for (let attempt = 1; attempt < POISON_ATTEMPTS; attempt += 1) {
    try {
      return await deps.apply([report]);
    } catch (retryError) {
      if (isAppError(retryError, 'unavailable')) throw retryError;
      error = retryError;
    }
  }
  await deps.deadLetter(report, error);
  return [];
}
