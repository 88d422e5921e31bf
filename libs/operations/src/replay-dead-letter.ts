import type { Broker } from '@busbar/broker';
import { channels, partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { StoredDeadLetter } from '@busbar/domain';

/**
 * Puts a dead letter back into its charger's partition. Resolves when the broker has it; rejects with `unavailable`, and with
 * `invalid_request` for one that never was a message.
 */
export async function replayLetter(broker: Broker, partitions: number, letter: StoredDeadLetter): Promise<void> {
  if (letter.chargerId === '') {
    const message = `${letter.deadLetterId} holds no message that could be read: look at it with --json, then drop it.`;
    throw new AppError('invalid_request', message);
  }
  // Written by charger-state from an envelope of its own.
  const report = JSON.parse(letter.report) as ReportEnvelope;
  return new Promise((resolve, reject) => {
    broker.enqueue(channels.reports, partitionOf(report.chargerId, partitions), { reports: [report] }, (failure) => {
      if (failure === undefined) resolve();
      else reject(new AppError('unavailable', `The broker did not take the message (${failure}): try again.`));
    });
  });
}
