import type { Metrics } from '@busbar/runtime';

/** What a replica of charger-state counts. */
export function createChargerStateMetrics(metrics: Metrics) {
  return {
    applied: metrics.counter({
      name: 'busbar_state_applied_total',
      help: 'Messages of chargers that were applied and stored.',
    }),
    deviations: metrics.counter({
      name: 'busbar_state_deviations_total',
      help: 'What chargers got wrong and was put up with, as far as only the record shows it; the gateways count the others.',
      labels: ['kind'],
    }),
    failedBatches: metrics.counter({
      name: 'busbar_state_failed_batches_total',
      help: 'Batches that failed and were tried again, most often because the store was away.',
    }),
    lapses: metrics.counter({
      name: 'busbar_state_lapsed_gateways_total',
      help: 'Gateways whose lease lapsed with chargers shown connected.',
    }),
    activePartitions: metrics.counter({
      name: 'busbar_state_partitions_taken_total',
      help: 'Times that this replica became the active one of a partition.',
    }),
    leftPartitions: metrics.counter({
      name: 'busbar_state_partitions_left_total',
      help: 'Times that this replica left a partition to its owner.',
    }),
    standbyCount: metrics.counter({
      name: 'busbar_state_stood_aside_total',
      help: 'Times that this replica left everything to others, as the store did not answer it.',
    }),
    waiting: metrics.gauge({
      name: 'busbar_state_waiting',
      help: 'Messages that wait in a queue, as last asked: of all partitions together, and the dead letters on their way.',
      labels: ['queue'],
    }),
    deadLetters: metrics.counter({
      name: 'busbar_state_dead_letters_total',
      help: 'What was given up by its own fault: messages that failed, bodies that could not be read.',
      labels: ['kind'],
    }),
    expiredDeadLetters: metrics.counter({
      name: 'busbar_state_expired_dead_letters_total',
      help: 'Dead letters that nobody replayed or dropped, deleted by their age.',
    }),
    refusedStarts: metrics.counter({
      name: 'busbar_state_refused_starts_total',
      help: 'Starts without a transaction id: too_many_starts of the charger or too_many_client_starts of its client that day, or out_of_ids.',
      labels: ['reason'],
    }),
    transactionIdsLeft: metrics.gauge({
      name: 'busbar_state_transaction_ids_left',
      help: 'Transaction ids that are left of the 2,147,483,647 that there are; none is given twice.',
    }),
    newerBodies: metrics.counter({
      name: 'busbar_state_newer_bodies_total',
      help: 'Times that a body of a newer version was met and left in its queue for a newer replica.',
      labels: ['queue'],
    }),
    retentionDeleted: metrics.counter({
      name: 'busbar_state_retention_deleted_total',
      help: 'Rows that were deleted by their age, by collection.',
      labels: ['collection'],
    }),
    retentionSuspended: metrics.gauge({
      name: 'busbar_state_retention_suspended',
      help: '1 while nothing is deleted by its age, since the clock is more than a day ahead of all that it is compared with.',
    }),
    retentionLag: metrics.gauge({
      name: 'busbar_state_retention_lag_seconds',
      help: 'Seconds by which the time that deletion by age goes by is behind the clock.',
    }),
  };
}

export type ChargerStateMetrics = ReturnType<typeof createChargerStateMetrics>;
