// Answers to a charger's CALLs: they leave in the order of the CALLs (rule 23), and a charger that does not read them is cut.
import type { Logger } from '@busbar/core';
import type { MessageRef } from '@busbar/ocpp';
import type { AnswerSlot, Connection } from '../connection/connection';
import type { GatewayMetrics } from '../gateway-metrics';
import { goOnReading, stopAtTooManyOpen } from '../connection/reading';

export interface AnswerDeps {
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'slowReaders'>;
}

/** What a charger may leave unread before its socket is cut: thousands of answers, and no more memory than that. */
const MAX_UNSENT_BYTES = 1_048_576;

/** Takes the next place in the line of answers. */
export function openSlot(connection: Connection, ref: MessageRef): AnswerSlot {
  const slot: AnswerSlot = { ref, answer: undefined, times: 1 };
  connection.answers.push(slot);
  stopAtTooManyOpen(connection);
  return slot;
}

/** Answers in turn, and again when the same frame comes again (rule 28). */
export function resolveSlot(deps: AnswerDeps, connection: Connection, slot: AnswerSlot, answer: string): void {
  slot.times = connection.replay.recordAnswer(slot.ref, answer);
  resolveUnremembered(deps, connection, slot, answer);
}

/** Answers in turn; not what is repeated when the same id comes again. */
export function resolveUnremembered(deps: AnswerDeps, connection: Connection, slot: AnswerSlot, answer: string): void {
  slot.answer = answer;
  flushAnswers(deps, connection);
}

/** Answers in turn what was never worked on. */
export function answerOnce(deps: AnswerDeps, connection: Connection, ref: MessageRef, answer: string): void {
  resolveUnremembered(deps, connection, openSlot(connection, ref), answer);
}

/** Puts a text on the socket at once; '' is none. */
export function send({ logger, metrics }: AnswerDeps, connection: Connection, text: string): void {
  const { socket, chargerId, connectionId } = connection;
  if (text === '' || socket.readyState !== socket.OPEN) return;
  socket.send(text);
  if (socket.bufferedAmount <= MAX_UNSENT_BYTES) return;
  metrics.slowReaders.inc({});
  logger.info({ chargerId, connectionId }, 'a charger does not read what it is sent; its socket is cut');
  socket.terminate();
}

function flushAnswers(deps: AnswerDeps, connection: Connection): void {
  const { answers } = connection;
  let sent = 0;
  for (; sent < answers.length; sent += 1) {
    const slot = answers[sent];
    if (slot?.answer === undefined) break;
    for (let time = 0; time < slot.times; time += 1) send(deps, connection, slot.answer);
  }
  if (sent === 0) return;
  answers.splice(0, sent);
  goOnReading(connection);
}
