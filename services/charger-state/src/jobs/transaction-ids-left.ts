// Watches the counter of transaction ids: it never goes back and no id is given twice, so its end must be seen years before.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';

export interface TransactionIdsLeftDeps {
  readonly reports: Pick<ReportStore, 'transactionIdsLeft'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onLeft: (left: number) => void;
}

const EVERY_MS = 60_000;
/** Half, a quarter, a tenth, a hundredth of the ids that OCPP 1.6 has. */
const THRESHOLDS = [1_073_741_824, 536_870_912, 214_748_365, 21_474_836] as const;
/** From here on somebody must act. */
const ERROR_BELOW = THRESHOLDS[2];

export function createTransactionIdsLeft({ reports, clock, logger, onLeft }: TransactionIdsLeftDeps): Service {
  let reported = 0;

  async function run(): Promise<void> {
    const left = await reports.transactionIdsLeft();
    onLeft(left);
    const passed = THRESHOLDS.filter((threshold) => left < threshold).length;
    if (passed <= reported) return;
    reported = passed;
    const message = 'transaction ids run out: none is ever given twice, and starts are refused when none is left';
    if (left < ERROR_BELOW) logger.error({ left }, message);
    else logger.warn({ left }, message);
  }
  const failed = 'reading how many transaction ids are left failed';
  return createPeriodicJob({
    name: 'transaction ids left',
    everyMs: EVERY_MS,
    atStart: true,
    run,
    failed,
    clock,
    logger,
  });
}
