// Publishes a dead letter to its queue again.
import type { Broker } from '@busbar/broker';
import { channels, partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { StoredDeadLetter } from '@busbar/domain/reports';

/**
 * Publishes a dead letter to its charger's partition. Resolves when the broker confirms. Rejects with `unavailable`, and with
 * `invalid_request` for one that holds no message.
 */
export async function replayLetter(broker: Broker, partitions: number, letter: StoredDeadLetter): Promise<void> {
  if (letter.chargerId === '') {
    const message = `${letter.deadLetterId} holds no readable message: look at it with --json, then drop it.`;
    throw new AppError('invalid_request', message);
  }
  // charger-state wrote it from an envelope that it had parsed.
  const report: ReportEnvelope = { ...(JSON.parse(letter.report) as ReportEnvelope), replayed: true };
  return new Promise((resolve, reject) => {
    broker.enqueue(channels.reports, partitionOf(report.chargerId, partitions), { reports: [report] }, (failure) => {
      if (failure === undefined) resolve();
      else reject(new AppError('unavailable', `The broker did not take the message (${failure}): try again.`));
    });
  });
}
