// Moves messages that fail by their own fault, and unreadable bodies, from their partition to the queue of dead
// letters. Moves them from there to the store, where an operator finds them.
import { createHash } from 'node:crypto';
import type { Broker, Delivery, PublishFailure, Subscription } from '@busbar/broker';
import { channels, DEAD_LETTER_VERSION, type DeadLetter, type ReportEnvelope } from '@busbar/contracts';
import { AppError, messageOf, type Clock, type Logger } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';

export interface DeadLettersDeps {
  readonly broker: Broker;
  readonly store: DeadLetterStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A dead letter of a newer version was left in the queue. */
  readonly onNewer?: () => void;
  readonly onDeadLettered: (kind: 'failed' | 'unreadable') => void;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

const REASON_CHARACTERS = 500;
/** Characters stored of a message that is too large for the broker. */
const TEXT_CHARACTERS = 1_000_000;
const MAX_BATCH = 50;

export function createDeadLetters(deps: DeadLettersDeps) {
  const { broker, store, clock, logger } = deps;
  let subscription: Subscription | undefined;

  const tryPut = (letter: DeadLetter): Promise<PublishFailure | undefined> =>
    new Promise((resolve) => broker.enqueue(channels.deadLetters, 0, letter, resolve));

  async function put(letter: DeadLetter): Promise<void> {
    const failure = await tryPut(letter);
    // It is too large for another message of the broker: its beginning is stored, so that the partition continues.
    const again = failure === 'unsendable' ? await tryPut(beginningOf(letter)) : failure;
    if (again !== undefined)
      throw new AppError(
        'unavailable',
        `The dead-letter queue did not take a message (${again}). The batch is delivered again.`,
      );
  }

  return {
    name: 'dead-letters',
    async start() {
      if (subscription) return;
      await broker.declareQueue(channels.deadLetters);
      // Their order does not matter: every replica may take some.
      const options = { maxBatch: MAX_BATCH, onNewer: () => deps.onNewer?.() };
      subscription = await broker.consume(channels.deadLetters, 0, options, async (batch) => {
        for (const delivery of batch) await store.insert(letterOf(delivery, toTimestamp(clock.now())));
      });
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
    },
    ready: () => subscription !== undefined,
    /** Resolves when the queue has it: only then may the message be acknowledged. Rejects with `unavailable`. */
    async deadLetter(report: ReportEnvelope, error: unknown): Promise<void> {
      const { id, chargerId, action } = report;
      await put({ v: DEAD_LETTER_VERSION, report, reason: reasonOf(error), at: toTimestamp(clock.now()) });
      deps.onDeadLettered('failed');
      logger.error(
        { err: error, correlationId: id, chargerId, action },
        'dead-lettered a message that failed five times',
      );
    },
    /** The same for an unreadable body; `text` is of bounded size. */
    async deadLetterBody(text: string, error: Error): Promise<void> {
      const letter = unreadable(text, error, toTimestamp(clock.now()));
      await put(letter);
      deps.onDeadLettered('unreadable');
      logger.error({ err: error, correlationId: letter.id }, 'dead-lettered a body that holds no reports');
    },
  };
}

/** As it is stored; an unreadable body of this queue is stored like one of another. */
function letterOf({ body, text, malformed }: Delivery<DeadLetter>, at: string): StoredDeadLetter {
  const letter = body ?? unreadable(text ?? '', malformed ?? new Error('a delivery without a body'), at);
  const { reason } = letter;
  if ('report' in letter) {
    const { id: deadLetterId, chargerId, action } = letter.report;
    return { deadLetterId, chargerId, action, reason, at: letter.at, report: JSON.stringify(letter.report) };
  }
  return { deadLetterId: letter.id, chargerId: '', action: '', reason, at: letter.at, report: letter.text };
}

function unreadable(text: string, error: Error, at: string) {
  const id = `unreadable-${createHash('sha256').update(text).digest('hex').slice(0, 26)}`;
  return { v: DEAD_LETTER_VERSION, id, text, reason: reasonOf(error), at };
}

/** The beginning of a letter that is too large: visible, but it cannot be replayed. */
function beginningOf(letter: DeadLetter): DeadLetter {
  const [id, text] = 'report' in letter ? [letter.report.id, JSON.stringify(letter.report)] : [letter.id, letter.text];
  const reason = `too large to be kept whole (${String(text.length)} characters): ${letter.reason}`;
  const [part, why] = [text.slice(0, TEXT_CHARACTERS), reason.slice(0, REASON_CHARACTERS)];
  return { v: DEAD_LETTER_VERSION, id, text: part, reason: why, at: letter.at };
}

function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, REASON_CHARACTERS);
}
