// One partition's messages: applied in order, answered, acknowledged. What follows from them is set off after the store has
// them and before the acknowledgement.
import type { Delivery } from '@busbar/broker';
import type { ReportBatch, ReportEnvelope } from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import type { Applied } from './outcome';
import { applyWithRetry } from './apply-with-retry';
import { createPendingSideEffects, newIdsOf, type PendingSideEffects } from './pending-side-effects';

type Apply = (reports: readonly ReportEnvelope[]) => Promise<readonly Applied[]>;

export interface ConsumePartitionDeps {
  /** What applies reports of this partition; asked for with each batch, for all of it. */
  readonly applyIn: (partition: number, sideEffects: PendingSideEffects) => Apply;
  readonly deadLetter: (report: ReportEnvelope, error: unknown) => Promise<void>;
  /** A body that holds no reports. */
  readonly deadLetterBody: (text: string, error: Error) => Promise<void>;
  /** Answers, closings, follow-up commands. Must not throw. */
  readonly follow: (applied: readonly Applied[]) => void;
  /** A batch failed, and comes again. */
  readonly onFailure?: () => void;
  readonly logger: Logger;
}

/** Reports written at a time: bounds what one transaction holds. */
const MAX_REPORTS = 500;

export function createPartitionHandler(
  deps: ConsumePartitionDeps,
): (batch: readonly Delivery<ReportBatch>[], partition: number) => Promise<void> {
  /** Outlives the loss of a partition's channel: what is followed twice is asked twice, and what is not is never. */
  const memory = new Map<number, PendingSideEffects>();

  async function handle(batch: readonly Delivery<ReportBatch>[], partition: number): Promise<void> {
    const sideEffects = memory.get(partition) ?? createPendingSideEffects();
    memory.set(partition, sideEffects);
    const apply = deps.applyIn(partition, sideEffects);
    const reports: ReportEnvelope[] = [];
    for (const delivery of batch) {
      if (delivery.body !== undefined) reports.push(...delivery.body.reports);
      else await deps.deadLetterBody(delivery.text ?? '', delivery.malformed ?? new Error('a delivery without a body'));
    }
    for (let from = 0; from < reports.length; from += MAX_REPORTS) {
      const chunk = from === 0 && reports.length <= MAX_REPORTS ? reports : reports.slice(from, from + MAX_REPORTS);
      deps.follow(await applyChunk(chunk, { apply, sideEffects, deadLetter: deps.deadLetter }));
    }
  }
  return async (batch, partition) => {
    try {
      await handle(batch, partition);
    } catch (error) {
      deps.onFailure?.();
      throw error;
    }
  };
}

interface ApplyChunkDeps extends Pick<ConsumePartitionDeps, 'deadLetter'> {
  readonly apply: Apply;
  readonly sideEffects: PendingSideEffects;
}

/** Of a batch that was halved, one half may be in the store when the other fails; then all of it comes again. */
async function applyChunk(
  chunk: readonly ReportEnvelope[],
  { apply, sideEffects, deadLetter }: ApplyChunkDeps,
): Promise<readonly Applied[]> {
  const done: Applied[] = [];
  try {
    return await applyWithRetry(chunk, {
      deadLetter,
      async apply(reports) {
        const applied = await apply(reports);
        done.push(...applied);
        return applied;
      },
    });
  } catch (error) {
    sideEffects.keep(newIdsOf(done));
    throw error;
  }
}
