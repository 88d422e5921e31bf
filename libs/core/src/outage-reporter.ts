// A state that someone must know of for as long as it lasts: told when it begins, reminded of, told when it ends. What fails
// a thousand times in an outage is one line in the log, not a thousand.
import type { Clock } from './clock';
import type { Logger } from './logger';

type Fields = Readonly<Record<string, unknown>>;

export interface OutageReporterOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  /** What is so while it lasts, as a sentence for the log. */
  readonly began: string;
  /** What is so again afterwards. */
  readonly ended: string;
  /** The least time between two reminders. Default one minute. */
  readonly remindMs?: number;
}

export interface OutageReporter {
  /**
   * It is so for this cause (a queue, a partition): warns the first time, once for each new reason, and reminds as an error
   * while it goes on, since it did not heal itself. `reason` is what it is known by; `fields` go into the line.
   */
  report(cause: string, reason: string, fields?: Fields): void;
  /** Not so any more for this cause; tells when it was the last one. */
  clear(cause: string): void;
  active(): boolean;
  /** Since it began; 0 while it is not so. */
  seconds(): number;
}

const REMIND_MS = 60_000;
/** Reasons told of one trouble: what has a new reason every time must not fill the log. */
const MAX_REASONS = 5;

/** Quiet, until `lasts` is called. Sets no timer: whoever fails says so again by trying again. */
export function createOutageReporter(options: OutageReporterOptions): OutageReporter {
  const { clock, logger, remindMs = REMIND_MS } = options;
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
      } else if (now - reportedMs >= remindMs) {
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
