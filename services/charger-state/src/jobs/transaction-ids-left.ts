// Watches the counter of transaction ids: no id is reused, so their end must be known years before.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';

export interface TransactionIdsLeftDeps {
  readonly reports: Pick<ReportStore, 'transactionIdsLeft'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onLeft: (left: number) => void;
}

const EVERY_MS = 60_000;
/** Half, a quarter, a tenth and a hundredth of the ids of OCPP 1.6. */
const THRESHOLDS = [1_073_741_824, 536_870_912, 214_748_365, 21_474_836] as const;
/** Below this an operator must act. */
const ERROR_BELOW = THRESHOLDS[2];

export function createTransactionIdsLeft({ reports, clock, logger, onLeft }: TransactionIdsLeftDeps): Service {
  let reported = 0;

  async function run(): Promise<void> {
    const left = await reports.transactionIdsLeft();
    onLeft(left);
    const passed = THRESHOLDS.filter((threshold) => left < threshold).length;
    if (passed <= reported) return;
    reported = passed;
    const message = 'transaction ids run out: no id is reused, and starts are refused when none is left';
    if (left < ERROR_BELOW) logger.error({ left }, message);
    else logger.warn({ left }, message);
  }
  const failed = 'could not read how many transaction ids are left';
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
