import { CALL_BUCKETS_S, type Metrics } from '@busbar/runtime';

/** Messages in a batch: the gateway sends up to 200 together, and several of these may be delivered at once. */
const BATCH_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];

/** The metrics of a replica of charger-state. */
export function createChargerStateMetrics(metrics: Metrics) {
  return {
    applied: metrics.counter({
      name: 'busbar_state_applied_total',
      help: 'Messages of chargers that were applied and stored.',
    }),
    batchSeconds: metrics.histogram({
      name: 'busbar_state_batch_seconds',
      help: 'Time to apply and store a batch of messages of chargers, by outcome; a failed batch is retried.',
      labels: ['outcome'],
      buckets: CALL_BUCKETS_S,
    }),
    batchMessages: metrics
      .histogram({
        name: 'busbar_state_batch_messages',
        help: 'Messages of chargers in a batch.',
        buckets: BATCH_SIZES,
      })
      .child({}),
    deviations: metrics.counter({
      name: 'busbar_state_deviations_total',
      help: 'Tolerated deviations of chargers that only charger-state can detect; gateways count the others.',
      labels: ['kind'],
      initial: ['clock_off', 'surplus_connector', 'reused_seq_no', 'reused_transaction_id'].map((kind) => ({ kind })),
    }),
    failedBatches: metrics.counter({
      name: 'busbar_state_failed_batches_total',
      help: 'Batches that failed and were retried, usually because the store was unavailable.',
    }),
    lapses: metrics.counter({
      name: 'busbar_state_lapsed_gateways_total',
      help: 'Gateways whose lease expired while chargers were connected to them.',
    }),
    activePartitions: metrics.counter({
      name: 'busbar_state_partitions_taken_total',
      help: 'Times that this replica became the active consumer of a partition.',
    }),
    leftPartitions: metrics.counter({
      name: 'busbar_state_partitions_left_total',
      help: 'Times that this replica handed a partition to its owner.',
    }),
    standbyCount: metrics.counter({
      name: 'busbar_state_standby_total',
      help: 'Times that this replica went on standby because the store did not answer it.',
    }),
    waiting: metrics.gauge({
      name: 'busbar_state_waiting',
      help: 'Messages in a queue at the last reading: reports of all partitions together, or dead letters that are not stored yet.',
      labels: ['queue'],
    }),
    deadLetters: metrics.counter({
      name: 'busbar_state_dead_letters_total',
      help: 'Dead letters by kind: messages that failed five times, and unreadable bodies.',
      labels: ['kind'],
      initial: [{ kind: 'failed' }, { kind: 'unreadable' }],
    }),
    expiredDeadLetters: metrics.counter({
      name: 'busbar_state_expired_dead_letters_total',
      help: 'Dead letters that were deleted past their retention, without a replay or drop.',
    }),
    refusedStarts: metrics.counter({
      name: 'busbar_state_refused_starts_total',
      help: 'Starts without a transaction id: too_many_starts of the charger or too_many_client_starts of its client that day, or out_of_ids.',
      labels: ['reason'],
    }),
    transactionIdsLeft: metrics.gauge({
      name: 'busbar_state_transaction_ids_left',
      help: 'Transaction ids that are left of 2,147,483,647; no id is reused.',
    }),
    newerBodies: metrics.counter({
      name: 'busbar_state_newer_bodies_total',
      help: 'Bodies of a newer version that were left in their queue for a newer replica.',
      labels: ['queue'],
      initial: [{ queue: 'reports' }, { queue: 'dead-letters' }],
    }),
    retentionDeleted: metrics.counter({
      name: 'busbar_state_retention_deleted_total',
      help: 'Rows deleted past their retention, by collection.',
      labels: ['collection'],
    }),
    retentionSuspended: metrics.gauge({
      name: 'busbar_state_retention_suspended',
      help: '1 while retention is suspended, because the clock is more than a day ahead of all other times.',
    }),
    ...createFeedMetrics(metrics),
    retentionLag: metrics.gauge({
      name: 'busbar_state_retention_lag_seconds',
      help: 'Seconds by which the time of retention is behind the clock.',
    }),
  };
}

function createFeedMetrics(metrics: Metrics) {
  return {
    events: metrics.counter({
      name: 'busbar_events_total',
      help: 'Events that were written to the feed, by type.',
      labels: ['type'],
    }),
    eventPages: metrics.counter({
      name: 'busbar_event_pages_total',
      help: 'Pages of the feed that were written.',
    }),
    eventLag: metrics.gauge({
      name: 'busbar_event_lag_seconds',
      help: 'Age of the oldest change by an API or an expired lease whose events are not in the feed after 5 seconds; else 0.',
    }),
    eventsCollapsed: metrics.counter({
      name: 'busbar_events_collapsed_total',
      help: 'Changes by APIs beyond 200 that waited for one charger, which became one charger.updated.',
    }),
  };
}

/** Registers the gauge, which is read at each scrape. */
export function observePartitions(metrics: Metrics, owned: () => number): void {
  metrics.observed(
    {
      name: 'busbar_state_partitions',
      help: 'Partitions that this replica owns; the others are owned by other replicas.',
    },
    owned,
  );
}

export type ChargerStateMetrics = ReturnType<typeof createChargerStateMetrics>;
