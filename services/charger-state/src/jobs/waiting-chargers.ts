// Sends the nudge again for chargers whose appended events nobody numbered: the nudge was lost, or its sender died before.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { AnnounceAppended, DeletedChargers, WaitingChargers } from '@busbar/domain/feed';

export interface WaitingChargersDeps {
  readonly waiting: WaitingChargers;
  readonly deleted: Pick<DeletedChargers, 'before'>;
  readonly announce: AnnounceAppended;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The age of the oldest in seconds; 0 where none waits for longer than 5 s. */
  readonly onLag: (seconds: number) => void;
}

const EVERY_MS = 2_500;
/** A nudge arrives within this time, unless it is lost or its partition has no owner. */
const WAITS_MS = 5_000;
/** At a time: the oldest. As many as a partition of the network may leave without a connection at once. */
const MAX_CHARGERS = 10_000;

/** Every replica looks. A repeated nudge costs one read of its record. */
export function createWaitingLook({ waiting, deleted, announce, clock, logger, onLag }: WaitingChargersDeps): Service {
  async function run(): Promise<void> {
    const before = toTimestamp(new Date(clock.now().getTime() - WAITS_MS));
    const found = [...(await waiting.before(before, MAX_CHARGERS)), ...(await deleted.before(before, MAX_CHARGERS))];
    // They are the oldest of each kind.
    const oldest = found.map(({ at }) => at).toSorted()[0];
    onLag(oldest === undefined ? 0 : Math.round((clock.now().getTime() - Date.parse(oldest)) / 1000));
    if (found.length === 0) return;
    logger.debug({ chargers: found.length }, 'announced appended events again');
    announce(found);
  }
  const failed = 'could not look for chargers with appended events';
  return createPeriodicJob({ name: 'waiting-chargers', everyMs: EVERY_MS, run, failed, clock, logger });
}
