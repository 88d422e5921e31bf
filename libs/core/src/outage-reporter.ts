// Logs an outage when it begins, at intervals while it lasts, and when it ends: one line, however many operations fail.
import type { Clock } from './clock';
import type { Logger } from './logger';

type Fields = Readonly<Record<string, unknown>>;

export interface OutageReporterOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  /** The log message of an outage. */
  readonly began: string;
  /** The log message of its end. */
  readonly ended: string;
}

export interface OutageReporter {
  /**
   * A failure with this cause (a queue, a partition). Warns for the first failure and for each new `reason`, and
   * reminds with an error while the outage lasts. `fields` are added to the line.
   */
  report(cause: string, reason: string, fields?: Fields): void;
  /** The cause works again. The outage ends, and is logged, with its last cause. */
  clear(cause: string): void;
  active(): boolean;
  /** Seconds since the outage began; 0 without one. */
  seconds(): number;
}

/** The least time between two reminders. */
const REMIND_MS = 60_000;
/** Changing reasons must not fill the log. */
const MAX_REASONS = 5;

/** Sets no timer: every failed retry reports again. */
export function createOutageReporter(options: OutageReporterOptions): OutageReporter {
  const { clock, logger } = options;
  const causes = new Set<string>();
  const reasons = new Set<string>();
  let sinceMs = 0;
  let reportedMs = 0;

  const seconds = (): number => (causes.size === 0 ? 0 : Math.round((clock.monotonicMs() - sinceMs) / 1000));

  return {
    report(cause, reason, fields = {}) {
      const now = clock.monotonicMs();
      if (causes.size === 0) sinceMs = now;
      causes.add(cause);
      const reported = { cause, reason, ...fields };
      if (!reasons.has(reason) && reasons.size < MAX_REASONS) {
        reasons.add(reason);
        logger.warn(reported, options.began);
      } else if (now - reportedMs >= REMIND_MS) {
        logger.error({ ...reported, forS: seconds(), causes: causes.size }, `still: ${options.began}`);
      } else return;
      reportedMs = now;
    },
    clear(cause) {
      const forS = seconds();
      if (!causes.delete(cause) || causes.size > 0) return;
      reasons.clear();
      logger.info({ forS }, options.ended);
    },
    active: () => causes.size > 0,
    seconds,
  };
}
