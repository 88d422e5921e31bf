// Sends the answers to a charger's CALLs in the order of the CALLs (rule 23). Terminates the socket of a charger that does not
// read them.
import type { Clock, Logger } from '@busbar/core';
import type { MessageRef } from '@busbar/ocpp';
import { terminateSocket } from '../connection/close';
import { SLOW_READER } from '../connection/close-reason';
import type { AnswerSlot, Connection } from '../connection/connection';
import type { GatewayMetrics } from '../gateway-metrics';
import { resumeReading, pauseAtTooManyOpen } from '../connection/reading';

export interface AnswerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'slowReaders' | 'answers'>;
}

/** Bytes that a charger may leave unread before its socket is terminated: thousands of answers. */
const MAX_UNSENT_BYTES = 1_048_576;

/** Reserves the next place in the order of answers. */
export function openSlot(
  { clock, metrics }: AnswerDeps,
  connection: Connection,
  ref: MessageRef,
  action: string,
): AnswerSlot {
  const answered = metrics.answers(action, connection.protocol);
  const slot: AnswerSlot = { ref, answer: undefined, sinceMs: clock.monotonicMs(), answered, times: 1 };
  connection.answers.push(slot);
  pauseAtTooManyOpen(connection);
  return slot;
}

/** Answers in order, and remembers the answer for a repeat of the frame (rule 28). */
export function resolveSlot(deps: AnswerDeps, connection: Connection, slot: AnswerSlot, answer: string): void {
  slot.times = connection.replay.recordAnswer(slot.ref, answer);
  resolveWithoutReplay(deps, connection, slot, answer);
}

/** Answers in order, without remembering the answer. */
export function resolveWithoutReplay(deps: AnswerDeps, connection: Connection, slot: AnswerSlot, answer: string): void {
  slot.answer = answer;
  flushAnswers(deps, connection);
}

/** Answers in order a frame that is not processed. */
export function answerOnce(deps: AnswerDeps, connection: Connection, ref: MessageRef, answer: string): void {
  resolveWithoutReplay(deps, connection, openSlot(deps, connection, ref, ''), answer);
}

/** Sends a text immediately; '' is none. */
export function send(
  { logger, metrics }: Pick<AnswerDeps, 'logger'> & { readonly metrics: Pick<GatewayMetrics, 'slowReaders'> },
  connection: Connection,
  text: string,
): void {
  const { socket, chargerId, connectionId } = connection;
  if (text === '' || socket.readyState !== socket.OPEN) return;
  socket.send(text);
  if (socket.bufferedAmount <= MAX_UNSENT_BYTES) return;
  metrics.slowReaders.inc({});
  logger.info({ chargerId, connectionId }, 'a charger does not read its answers; terminating its socket');
  terminateSocket(connection, SLOW_READER);
}

function flushAnswers(deps: AnswerDeps, connection: Connection): void {
  const { answers } = connection;
  const nowMs = deps.clock.monotonicMs();
  let sent = 0;
  for (; sent < answers.length; sent += 1) {
    const slot = answers[sent];
    if (slot?.answer === undefined) break;
    for (let time = 0; time < slot.times; time += 1) send(deps, connection, slot.answer);
    slot.answered.observe((nowMs - slot.sinceMs) / 1000);
  }
  if (sent === 0) return;
  answers.splice(0, sent);
  resumeReading(connection);
}
