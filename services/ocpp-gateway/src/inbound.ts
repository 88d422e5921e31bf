// A frame from a charger: read, judged, published, answered. Reports are answered after the broker's confirm, decisions
// with charger-state's answer; refusals at once. Answers leave in the order of their CALLs.
import type { ReportEnvelope } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import {
  acceptCall,
  errorAnswer,
  maskFrame,
  maskPayload,
  parseFrame,
  serialiseResult,
  STRICT,
  type AcceptedCall,
  type CallFrame,
  type MessageRef,
  type Situation,
  type UnreadableFrame,
} from '@busbar/ocpp';
import type { AnswerSlot, Connection } from './connection';
import type { Decisions } from './decisions';
import type { GatewayMetrics } from './gateway-metrics';
import type { Publisher } from './publisher';

export interface InboundDeps {
  readonly publisher: Publisher;
  readonly decisions: Decisions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly strict: boolean;
  /** Something of a charger's own that must not be lost was refused for want of the broker or of charger-state. */
  readonly onRefused: (connection: Connection, action: string) => void;
}

export interface Inbound {
  /** One text frame. Never throws. */
  receive(connection: Connection, text: string): void;
}

/** How long a call is held for a broker or store that is away before it is answered InternalError (rule 69). */
export const HOLD_MS = 10_000;
/** Unanswered CALLs of one charger; OCPP allows it one. Beyond this we stop reading from it. */
const MOST_OPEN = 64;
/** After so many unreadable frames in a row the socket is closed with 1008 (rule 30). */
const MOST_BAD_FRAMES = 10;

export function createInbound(deps: InboundDeps): Inbound {
  return {
    receive(connection, text) {
      const frame = parseFrame(text);
      deps.metrics.frames.inc({ type: frame.type });
      switch (frame.type) {
        case 'call':
          connection.badFramesInARow = 0;
          onCall(deps, connection, frame, text);
          return;
        case 'result':
        case 'error':
          connection.badFramesInARow = 0;
          connection.lastResult = text;
          if (!connection.calls.receive(frame)) note(deps, connection, { raw: text, messageId: frame.id, action: '' });
          return;
        case 'unknown_type':
          onUnknownType(deps, connection, frame.replyTo, text);
          return;
        case 'unreadable':
          onUnreadable(deps, connection, frame, text);
      }
    },
  };
}

function onCall(deps: InboundDeps, connection: Connection, frame: CallFrame, text: string): void {
  const verdict = connection.replay.begin(frame, text);
  switch (verdict.kind) {
    case 'answered':
      // The identical answer, and no second effect (rule 28).
      send(connection, verdict.answer);
      note(deps, connection, { raw: text, messageId: frame.id, action: frame.action, answer: verdict.answer });
      return;
    case 'open':
      return;
    case 'conflict':
      refuse(deps, connection, { ref: frame, action: frame.action, situation: 'reused_message_id', text });
      return;
    case 'new':
      break;
  }
  const tolerance = deps.strict ? STRICT : connection.compatibility;
  const accepted = acceptCall(connection.protocol, frame, tolerance);
  if (!accepted.ok) {
    const { situation, description } = accepted;
    refuse(deps, connection, { ref: frame, action: frame.action, situation, description, text });
    return;
  }
  const slot = openSlot(connection, frame);
  if (accepted.action.kind === 'report') report(deps, connection, { frame, accepted, slot, text });
  else decide(deps, connection, { frame, accepted, slot, text });
}

interface Call {
  readonly frame: CallFrame;
  readonly accepted: AcceptedCall;
  readonly slot: AnswerSlot;
  readonly text: string;
}

function report(deps: InboundDeps, connection: Connection, call: Call): void {
  const { frame, accepted, slot } = call;
  if (accepted.action.kind !== 'report') return;
  const now = deps.clock.now();
  const answer = serialiseResult(frame, accepted.action.reply(now));
  const part = { ...partOf(call), receivedAt: now.toISOString(), holdMs: HOLD_MS };
  deps.publisher.publish(connection, 'report', part, (settled) => {
    if (settled === 'confirmed') settleSlot(connection, slot, answer);
    else fail(deps, connection, slot, frame.action);
  });
}

function decide(deps: InboundDeps, connection: Connection, call: Call): void {
  const { frame, slot } = call;
  const now = deps.clock.now();
  const id = createId(now.getTime());
  deps.decisions.expect(id, HOLD_MS, (answer) => {
    if (answer === undefined) fail(deps, connection, slot, frame.action);
    else settleSlot(connection, slot, serialiseResult(frame, answer));
  });
  const part = {
    ...partOf(call),
    id,
    receivedAt: now.toISOString(),
    replyTo: deps.decisions.address,
    deadline: new Date(now.getTime() + HOLD_MS).toISOString(),
    holdMs: HOLD_MS,
  };
  // Given up by the line to the broker or without an answer: `decisions` tells of both by its own deadline.
  deps.publisher.publish(connection, 'decision', part, () => undefined);
}

function partOf({
  frame,
  accepted,
  text,
}: Call): Pick<ReportEnvelope, 'action' | 'messageId' | 'payload' | 'raw' | 'deviations'> {
  const raw = maskFrame(text);
  return {
    action: frame.action,
    messageId: frame.id,
    payload: raw === text ? accepted.payload : maskPayload(accepted.payload),
    raw,
    ...(accepted.deviations.length === 0 ? {} : { deviations: accepted.deviations }),
  };
}

interface RefusedCall {
  readonly ref: MessageRef;
  readonly action: string;
  readonly situation: Situation;
  readonly description?: string;
  readonly text: string;
}

/** A CALLERROR at once (in its turn). The frame was well-formed all the same, so the charger was heard (rule 20). */
function refuse(deps: InboundDeps, connection: Connection, call: RefusedCall): void {
  const { ref, action, situation, text } = call;
  deps.metrics.refusedCalls.inc({ situation });
  const answer = errorAnswer(connection.protocol, ref, situation, call.description);
  const slot = openSlot(connection, ref);
  const noted = { raw: text, messageId: ref.id, action: action.slice(0, 64) };
  note(deps, connection, answer === undefined ? noted : { ...noted, answer });
  settleSlot(connection, slot, answer ?? '');
}

function fail(deps: InboundDeps, connection: Connection, slot: AnswerSlot, action: string): void {
  deps.metrics.failedCalls.inc({});
  deps.onRefused(connection, action);
  const answer = errorAnswer(connection.protocol, slot.ref, 'internal') ?? '';
  // Not remembered: the charger may send the same frame again, and then it is tried anew.
  slot.times = connection.replay.forget(slot.ref);
  slot.answer = answer;
  flushAnswers(connection);
}

function onUnknownType(deps: InboundDeps, connection: Connection, ref: MessageRef | undefined, text: string): void {
  const answer = ref && errorAnswer(connection.protocol, ref, 'unknown_message_type');
  if (answer !== undefined) send(connection, answer);
  note(deps, connection, {
    raw: text,
    messageId: ref?.id ?? '',
    action: '',
    ...(answer === undefined ? {} : { answer }),
  });
}

function onUnreadable(deps: InboundDeps, connection: Connection, frame: UnreadableFrame, text: string): void {
  connection.badFramesInARow += 1;
  const { chargerId, connectionId } = connection;
  deps.logger.debug({ chargerId, connectionId, length: text.length }, 'an unreadable frame');
  if (frame.replyTo !== undefined) {
    const answer = errorAnswer(connection.protocol, frame.replyTo, frame.situation);
    if (answer !== undefined) send(connection, answer);
  }
  if (connection.badFramesInARow < MOST_BAD_FRAMES) return;
  deps.logger.info({ chargerId, connectionId }, 'closing a socket that sends only unreadable frames');
  connection.socket.close(1008, 'too many unreadable frames');
}

/** Something was heard that changes nothing else. */
function note(
  deps: InboundDeps,
  connection: Connection,
  heard: { raw: string; messageId: string; action: string; answer?: string },
): void {
  const part = { ...heard, raw: maskFrame(heard.raw), payload: null, holdMs: HOLD_MS };
  deps.publisher.publish(connection, 'noted', part, () => undefined);
}

function openSlot(connection: Connection, ref: MessageRef): AnswerSlot {
  const slot: AnswerSlot = { ref, answer: undefined, times: 1 };
  connection.answers.push(slot);
  if (connection.answers.length >= MOST_OPEN && !connection.paused) {
    connection.paused = true;
    connection.socket.pause();
  }
  return slot;
}

function settleSlot(connection: Connection, slot: AnswerSlot, answer: string): void {
  slot.times = connection.replay.settle(slot.ref, answer);
  slot.answer = answer;
  flushAnswers(connection);
}

function flushAnswers(connection: Connection): void {
  const { answers } = connection;
  let sent = 0;
  for (; sent < answers.length; sent += 1) {
    const slot = answers[sent];
    if (slot?.answer === undefined) break;
    for (let time = 0; time < slot.times; time += 1) send(connection, slot.answer);
  }
  if (sent === 0) return;
  answers.splice(0, sent);
  if (connection.paused && answers.length < MOST_OPEN / 2) resume(connection);
}

function resume(connection: Connection): void {
  connection.paused = false;
  if (!connection.closed) connection.socket.resume();
}

function send(connection: Connection, text: string): void {
  if (text === '' || connection.socket.readyState !== connection.socket.OPEN) return;
  connection.socket.send(text);
}
