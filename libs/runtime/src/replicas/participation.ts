// Decides whether this replica of a service is active or on standby. A replica that cannot reach the store, while others can, changes to
// standby: it owns nothing and releases what it has. A single replica stays active and retries. Replicas announce their state every two
// seconds.
import type { Broker, Subscription } from '@busbar/broker';
import type { BroadcastChannel, ReplicaNotice } from '@busbar/contracts';
import { delay, isAppError, type Clock, type Logger, type Timer } from '@busbar/core';
import type { Owners } from './owners';
import { createStoreReach } from './store-reach';

export interface ParticipationDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'listen'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replicaId: string;
  readonly owners: Owners;
  /** Where the replicas of the service announce themselves. */
  readonly channel: BroadcastChannel<ReplicaNotice>;
  /** The newest version of messages that this replica reads. Absent: 1. */
  readonly reads?: number;
  /** What waits for this replica, for its notices. */
  readonly waiting?: () => number;
  /** A cheap read of the store; rejects while it is unavailable. Called once a second, one at a time. */
  readonly probe: () => Promise<unknown>;
  /**
   * The milliseconds that `start` gives the others to answer: until then a replica that joins takes all work for its own, which is done
   * twice. Absent: none.
   */
  readonly joinMs?: number;
  /** The replica goes on standby, or is active again. */
  readonly onChange: (isActive: boolean) => void;
}

const NOTICE_MS = 2_000;
const TICK_MS = 1_000;
const FIRST_VERSION = 1;

export type Participation = ReturnType<typeof createParticipation>;

export function createParticipation(deps: ParticipationDeps) {
  const { broker, clock, logger, replicaId, owners, channel, reads = FIRST_VERSION, joinMs = 0 } = deps;
  const reach = createStoreReach();
  let notices: Subscription | undefined;
  let timers: readonly Timer[] = [];
  let isActive = true;
  /** Since the last tick. */
  let renewed = { probe: true, work: false };
  /** The last work failed because the store was unavailable. */
  let failing = false;
  let probing = false;

  const notify = (state: ReplicaNotice['state']): void =>
    broker.broadcast(channel, {
      replicaId,
      state,
      at: clock.now().toISOString(),
      reads,
      ...(deps.waiting && { waiting: deps.waiting() }),
    });
  const announce = (): void => notify(reach.answers() ? 'here' : 'leaving');

  /** A replica that is new here is answered at once, so that it learns of this one before it begins. */
  function received({ replicaId: other, state, reads: theirs }: ReplicaNotice): void {
    const before = owners.replicas();
    owners.renewed(other, state, theirs);
    if (other !== replicaId && owners.replicas() > before) announce();
  }

  function probe(): void {
    if (probing) return;
    probing = true;
    deps.probe().then(
      () => {
        probing = false;
        renewed.probe = true;
      },
      (error: unknown) => {
        probing = false;
        logger.debug({ err: error }, 'the store did not answer the probe');
      },
    );
  }

  function tick(): void {
    const before = reach.answers();
    reach.tick(renewed.work || (renewed.probe && !failing));
    renewed = { probe: false, work: false };
    probe();
    if (reach.answers() !== before) announce();
    judge();
  }

  function judge(): void {
    const now = reach.answers() || (isActive && owners.replicas() === 1);
    if (now === isActive) return;
    isActive = now;
    // Nothing more is begun, so from here on the probe alone decides.
    failing = false;
    if (now) logger.info({ replicaId }, 'the store answers this replica again; the replica is active again');
    else
      logger.warn(
        { replicaId },
        'the store does not answer this replica; the replica is on standby and leaves its work to the others',
      );
    deps.onChange(now);
  }

  return {
    isActive: () => isActive,
    /** The result of work that the store had a part in: stored, or the error. */
    workEnded(error?: unknown): void {
      // Work that was in progress when this replica went on standby does not show the present state of the store.
      const isUnavailable = isAppError(error, 'unavailable');
      failing = isActive && isUnavailable;
      if (!isUnavailable) renewed.work = true;
    },
    /** Announces this replica, listens to the others, and gives them the time to answer. */
    async start(): Promise<void> {
      // Its own notices measure the silence of the others, also while it is on standby.
      notices = await broker.listen(channel, received);
      announce();
      timers = [clock.every(NOTICE_MS, announce), clock.every(TICK_MS, tick)];
      if (joinMs > 0) await delay(clock, joinMs);
    },
    /** Announces that this replica leaves. */
    async stop(): Promise<void> {
      for (const timer of timers) timer.cancel();
      timers = [];
      notify('leaving');
      await notices?.close();
      notices = undefined;
    },
  };
}
