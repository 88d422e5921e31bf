// Delivers the batches of a partition: splits them, applies them, and halves a batch that fails. Moves a message that
// fails five times by itself to the dead letters. Side effects start after the store has a batch, before its
// acknowledgement.
import type { Delivery } from '@busbar/broker';
import type { ReportBatch, ReportEnvelope } from '@busbar/contracts';
import { isAppError } from '@busbar/core';
import { endOfChunk, type ChunkLimits } from './chunk';
import type { Applied } from './contract';
import { createPendingSideEffects, newIdsOf, type PendingSideEffects } from './pending-side-effects';

type Apply = (reports: readonly ReportEnvelope[]) => Promise<readonly Applied[]>;

export interface DeliverDeps {
  /** Gives the function that applies reports of this partition. Called once for each batch. */
  readonly applyIn: (partition: number, sideEffects: PendingSideEffects) => Apply;
  /** Resolves when the dead-letter queue has it. */
  readonly deadLetter: (report: ReportEnvelope, error: unknown) => Promise<void>;
  /** A body that holds no reports. */
  readonly deadLetterBody: (text: string, error: Error) => Promise<void>;
  /** Starts side effects: answers, closings, follow-up commands. Must not throw. */
  readonly follow: (applied: readonly Applied[]) => void;
  /** The events of one charger in a chunk. Absent: none, where no feed is written. */
  readonly limits?: ChunkLimits;
  /** A batch failed, and the broker will deliver it again. */
  readonly onFailure?: () => void;
}

/** Failures of a single message, by its own fault, until it becomes a dead letter. */
const MAX_OWN_FAILURES = 5;

export type PartitionHandler = (batch: readonly Delivery<ReportBatch>[], partition: number) => Promise<void>;

export function createPartitionHandler(deps: DeliverDeps): PartitionHandler {
  /** Survives the loss of a partition's channel: repeating a side effect is harmless, omitting one is not. */
  const pending = new Map<number, PendingSideEffects>();

  async function deliver(batch: readonly Delivery<ReportBatch>[], partition: number): Promise<void> {
    const sideEffects = pending.get(partition) ?? createPendingSideEffects();
    pending.set(partition, sideEffects);
    const apply = deps.applyIn(partition, sideEffects);
    const reports: ReportEnvelope[] = [];
    for (const delivery of batch) {
      if (delivery.body !== undefined) reports.push(...delivery.body.reports);
      else await deps.deadLetterBody(delivery.text ?? '', delivery.malformed ?? new Error('a delivery without a body'));
    }
    let from = 0;
    while (from < reports.length) {
      const end = endOfChunk(reports, from, deps.limits);
      const applied: Applied[] = [];
      try {
        await applyHalving(reports.slice(from, end), applied, { apply, deadLetter: deps.deadLetter });
      } catch (error) {
        // One half may be stored when the other fails; then the broker delivers both again.
        sideEffects.retain(newIdsOf(applied));
        throw error;
      }
      deps.follow(applied);
      from = end;
    }
  }

  return async (batch, partition) => {
    try {
      await deliver(batch, partition);
    } catch (error) {
      deps.onFailure?.();
      throw error;
    }
  };
}

interface HalvingDeps extends Pick<DeliverDeps, 'deadLetter'> {
  readonly apply: Apply;
}

/**
 * Applies the reports in order and appends their results to `applied`. Throws when the store is unavailable. Any other error
 * is caused by a message: the batch is halved until that message is alone, and is tried `MAX_OWN_FAILURES` times.
 */
async function applyHalving(reports: readonly ReportEnvelope[], applied: Applied[], deps: HalvingDeps): Promise<void> {
  const [only] = reports;
  const isAlone = reports.length === 1;
  for (let failures = 1; ; failures += 1) {
    try {
      applied.push(...(await deps.apply(reports)));
      return;
    } catch (error) {
      if (isAppError(error, 'unavailable') || only === undefined) throw error;
      if (!isAlone) break;
      if (failures === MAX_OWN_FAILURES) return deps.deadLetter(only, error);
    }
  }
  const middle = reports.length >> 1;
  await applyHalving(reports.slice(0, middle), applied, deps);
  await applyHalving(reports.slice(middle), applied, deps);
}
