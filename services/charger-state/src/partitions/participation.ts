// Whether this replica takes part. One that cannot reach the store, while another replica is here, stands aside until it can:
// it is no owner to the others then, and lets go of what it consumes. One that is alone goes on trying in place, as nobody
// could do better. What the others see of it goes over their notices, once every two seconds.
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type ReplicaNotice } from '@busbar/contracts';
import { isAppError, type Clock, type Logger, type Timer } from '@busbar/core';
import type { Owners } from './owners';
import { createStoreReach } from './store-reach';

export interface ParticipationDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'listen'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replicaId: string;
  readonly owners: Owners;
  /** Asks the store for next to nothing; rejects while it is away. Asked once a second, one at a time. */
  readonly probe: () => Promise<unknown>;
  /** It stands aside from now on, or takes part again. */
  readonly onChange: (isActive: boolean) => void;
}

export interface Participation {
  isActive(): boolean;
  /** How a batch ended: stored, or with what it failed. */
  batchEnded(error?: unknown): void;
  /** Announces this replica, and hears of the others. */
  start(): Promise<void>;
  /** Tells the others at once. */
  stop(): Promise<void>;
}

const NOTICE_MS = 2_000;
const TICK_MS = 1_000;

export function createParticipation(deps: ParticipationDeps): Participation {
  const { broker, clock, logger, replicaId, owners } = deps;
  const reach = createStoreReach();
  let notices: Subscription | undefined;
  let timers: readonly Timer[] = [];
  let isActive = true;
  /** Since the last tick. */
  let renewed = { probe: true, batch: false };
  /** The last batch that ended failed for want of the store. */
  let failing = false;
  let probing = false;

  const notify = (state: ReplicaNotice['state']): void =>
    broker.broadcast(channels.replicas, { replicaId, state, at: clock.now().toISOString() });
  const announce = (): void => notify(reach.answers() ? 'here' : 'leaving');

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
        logger.debug({ err: error }, 'the store did not answer when it was asked whether it does');
      },
    );
  }

  function tick(): void {
    const before = reach.answers();
    reach.tick(renewed.batch || (renewed.probe && !failing));
    renewed = { probe: false, batch: false };
    probe();
    if (reach.answers() !== before) announce();
    judge();
  }

  function judge(): void {
    const now = reach.answers() || (isActive && owners.replicas() === 1);
    if (now === isActive) return;
    isActive = now;
    // Nothing more is taken from the queues: from here on the probe alone tells.
    failing = false;
    if (now) logger.info({ replicaId }, 'the store answers this replica again; it takes part again');
    else logger.warn({ replicaId }, 'the store does not answer this replica; it leaves all partitions to the others');
    deps.onChange(now);
  }

  return {
    isActive: () => isActive,
    batchEnded(error) {
      // One that was still under way when this replica stood aside says nothing of the store as it is now, and no later one
      // would ever take that back.
      const isUnavailable = isAppError(error, 'unavailable');
      failing = isActive && isUnavailable;
      if (!isUnavailable) renewed.batch = true;
    },
    async start() {
      // Its own notices count the silence of the others, also while it is no owner.
      notices = await broker.listen(channels.replicas, (notice) => owners.renewed(notice.replicaId, notice.state));
      announce();
      timers = [clock.every(NOTICE_MS, announce), clock.every(TICK_MS, tick)];
    },
    async stop() {
      for (const timer of timers) timer.cancel();
      timers = [];
      notify('leaving');
      await notices?.close();
      notices = undefined;
    },
  };
}
