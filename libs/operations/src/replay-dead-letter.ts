// Publishes a dead letter to its queue again.
import type { Broker } from '@busbar/broker';
import { channels, partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { AppError, createId } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';

/** Between the id of a letter and the id of its replay, in the id of the copy during the replay. */
const COPY_INFIX = '.replay-';

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

/**
 * A message that fails again is stored under the same id; that id must be free, or it counts as a redelivery. So a copy
 * with another id is stored until the broker confirms. After a kill the message is in the store, in the queue or in
 * both. Both is harmless, since it is applied once.
 */
export async function replayStored(
  store: DeadLetterStore,
  letter: StoredDeadLetter,
  replay: (letter: StoredDeadLetter) => Promise<void>,
): Promise<void> {
  const { deadLetterId } = letter;
  // A copy that an interrupted replay left needs no copy.
  const copyId = deadLetterId.includes(COPY_INFIX) ? deadLetterId : `${deadLetterId}${COPY_INFIX}${createId()}`;
  if (copyId !== deadLetterId) await store.insert(copyOf(letter, copyId));
  try {
    if (copyId !== deadLetterId) await store.drop(deadLetterId);
    await replay(letter);
  } catch (error) {
    if (copyId !== deadLetterId) await putBack(store, letter, copyId);
    throw error;
  }
  await dropCopy(store, copyId, `${deadLetterId} was published to its queue`);
}

async function putBack(store: DeadLetterStore, letter: StoredDeadLetter, copyId: string): Promise<void> {
  try {
    await store.insert(copyOf(letter, letter.deadLetterId));
  } catch (cause) {
    const message = `${letter.deadLetterId} was not published, and is stored as ${copyId}: replay that one.`;
    throw new AppError('unavailable', message, { cause });
  }
  await dropCopy(store, copyId, `${letter.deadLetterId} was not published to its queue, and stays stored`);
}

async function dropCopy(store: DeadLetterStore, copyId: string, became: string): Promise<void> {
  try {
    await store.drop(copyId);
  } catch (cause) {
    const message = `${became}. The copy ${copyId} could not be dropped: drop it.`;
    throw new AppError('unavailable', message, { cause });
  }
}

/** Without the store's own fields. */
function copyOf({ chargerId, action, reason, at, report }: StoredDeadLetter, deadLetterId: string): StoredDeadLetter {
  return { deadLetterId, chargerId, action, reason, at, report };
}
