// A frame from a charger: read, judged, published, answered. Reports are answered after the broker's confirm, decisions
// with charger-state's answer; refusals at once. Answers leave in the order of their CALLs.
import { createId, type Clock, type Logger } from '@busbar/core';
import {
  acceptCall,
  compactFrame,
  errorAnswer,
  storedFrame,
  oversize,
  parseFrame,
  remoteStartOf,
  serialiseResult,
  STRICT,
  type AcceptedCall,
  type CallFrame,
  type DeviationKind,
  type Frame,
  type MessageRef,
  type RemoteStart,
  type Situation,
  type UnreadableFrame,
} from '@busbar/ocpp';
import { answerOnce, openSlot, send, resolveSlot, resolveUnremembered } from './answers';
import type { AnswerSlot, Connection } from '../connection/connection';
import type { Decisions } from './decisions';
import type { GatewayMetrics } from '../gateway-metrics';
import { closeSoon } from '../downlink/commands';
import type { Publisher } from './publisher';

export interface InboundDeps {
  readonly publisher: Publisher;
  readonly decisions: Decisions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly strict: boolean;
  /** How long a call is held for a broker or store that is away (rule 69). */
  readonly holdMs: number;
  /** Something of a charger's own that must not be lost was refused for want of the broker or of charger-state. */
  readonly onRefused: (connection: Connection, call: CallFrame) => void;
  /** A report was confirmed. */
  readonly onTaken: (connection: Connection, call: CallFrame) => void;
}

export interface Inbound {
  /** One text frame. Never throws. */
  receive(connection: Connection, text: string): void;
}

/** Of an id that is not a CALL's, in what is kept. */
const MAX_STORED_ID = 255;
/** After so many unreadable frames in a row the socket is closed with 1008 (rule 30). */
const MAX_BAD_FRAMES = 10;
/** What a remote start may authorize. */
const ABOUT_A_TAG: ReadonlySet<string> = new Set(['Authorize', 'StartTransaction']);

export function createInbound(deps: InboundDeps): Inbound {
  return {
    receive(connection, text) {
      const frame = parseFrame(text);
      deps.metrics.frames.inc({ type: frame.type });
      try {
        take(deps, connection, frame, text);
      } catch (error) {
        onFault(deps, connection, frame, error);
      }
    },
  };
}

function take(deps: InboundDeps, connection: Connection, frame: Frame, text: string): void {
  switch (frame.type) {
    case 'call':
      connection.badFramesInARow = 0;
      onCall(deps, connection, frame, text);
      return;
    case 'result':
    case 'error':
      connection.badFramesInARow = 0;
      connection.lastResult = text;
      // An answer that ends a CALL of ours is told with how that ended.
      if (connection.calls.receive(frame)) return;
      note(deps, connection, { raw: text, messageId: frame.id, action: '', deviations: ['unmatched_answer'] });
      return;
    case 'unknown_type':
      onUnknownType(deps, connection, frame.replyTo, text);
      return;
    case 'unreadable':
      onUnreadable(deps, connection, frame);
  }
}

/** The boundary for what must not happen: one frame fails, in words that say nothing of why (rule 41). */
function onFault(deps: InboundDeps, connection: Connection, frame: Frame, error: unknown): void {
  const { chargerId, connectionId } = connection;
  deps.logger.error({ err: error, chargerId, connectionId, errorId: createId() }, 'a frame could not be taken');
  if (frame.type !== 'call') return;
  const slot = connection.answers.find(({ ref, answer }) => ref.id === frame.id && answer === undefined);
  fail(deps, connection, slot ?? openSlot(connection, frame), frame);
}

function onCall(deps: InboundDeps, connection: Connection, frame: CallFrame, text: string): void {
  const verdict = connection.replay.begin(frame, text);
  switch (verdict.kind) {
    case 'answered':
      // The identical answer, and no second effect (rule 28).
      send(deps, connection, verdict.answer);
      note(deps, connection, { raw: text, messageId: frame.id, action: frame.action, answer: verdict.answer });
      return;
    case 'open':
      note(deps, connection, { raw: text, messageId: frame.id, action: frame.action });
      return;
    case 'conflict':
      refuse(deps, connection, { ref: frame, action: frame.action, situation: 'reused_message_id', text });
      return;
    case 'new':
      break;
  }
  if (deps.strict && frame.numericId) {
    const description = 'The message id is a number: it must be a text.';
    refuse(deps, connection, { ref: frame, action: frame.action, situation: 'malformed_frame', description, text });
    return;
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
  const part = partOf(connection, call, now, deps.holdMs);
  deps.publisher.publish(connection, 'report', part, (settled) => {
    if (settled === 'confirmed') {
      deps.onTaken(connection, frame);
      resolveSlot(deps, connection, slot, answer);
    } else fail(deps, connection, slot, frame);
  });
}

function decide(deps: InboundDeps, connection: Connection, call: Call): void {
  const { frame, slot } = call;
  const now = deps.clock.now();
  const id = deps.publisher.nextId(now);
  deps.decisions.expect(id, deps.holdMs, (answer) => {
    if (answer === undefined) fail(deps, connection, slot, frame);
    else resolveSlot(deps, connection, slot, serialiseResult(frame, answer));
  });
  const part = {
    ...partOf(connection, call, now, deps.holdMs),
    id,
    pendingStart: ABOUT_A_TAG.has(frame.action) ? pendingStartOf(connection) : undefined,
    replyTo: deps.decisions.address,
    deadline: new Date(now.getTime() + deps.holdMs).toISOString(),
  };
  // Given up by the line to the broker or without an answer: `decisions` tells of both by its own deadline.
  deps.publisher.publish(connection, 'decision', part, () => undefined);
}

/** Some chargers start, or ask whether they may, before they answer that they will: the outcome comes after the question. */
function pendingStartOf({ calls, masker }: Connection): RemoteStart | undefined {
  const pending = calls.pending();
  return pending && remoteStartOf({ action: pending.action, payload: masker.payload(pending.payload) });
}

/** Without spreading: this is made for every message. */
function partOf({ masker }: Connection, { frame, accepted, text }: Call, now: Date, holdMs: number) {
  const raw = masker.frame(text);
  const rawBytes = oversize(text);
  return {
    action: frame.action,
    messageId: frame.id,
    payload: raw === text ? accepted.payload : masker.payload(accepted.payload),
    // Whole all the same: the payload travels in it.
    raw: rawBytes === undefined ? raw : compactFrame(raw),
    rawBytes,
    repaired: accepted.repaired,
    deviations: accepted.deviations.length === 0 ? undefined : accepted.deviations,
    receivedAt: now,
    holdMs,
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
  const logged = { raw: text, messageId: ref.id, action: action.slice(0, 64) };
  note(deps, connection, answer === undefined ? logged : { ...logged, answer });
  // What the id was first used for keeps its own answer (rule 28).
  if (situation === 'reused_message_id') resolveUnremembered(deps, connection, slot, answer ?? '');
  else resolveSlot(deps, connection, slot, answer ?? '');
}

function fail(deps: InboundDeps, connection: Connection, slot: AnswerSlot, call: CallFrame): void {
  deps.metrics.failedCalls.inc({});
  deps.onRefused(connection, call);
  const answer = errorAnswer(connection.protocol, slot.ref, 'internal') ?? '';
  // Not remembered: the charger may send the same frame again, and then it is tried anew.
  slot.times = connection.replay.forget(slot.ref);
  resolveUnremembered(deps, connection, slot, answer);
}

function onUnknownType(deps: InboundDeps, connection: Connection, ref: MessageRef | undefined, text: string): void {
  const answer = ref && errorAnswer(connection.protocol, ref, 'unknown_message_type');
  if (ref !== undefined && answer !== undefined) answerOnce(deps, connection, ref, answer);
  note(deps, connection, {
    raw: text,
    messageId: ref?.id.slice(0, MAX_STORED_ID) ?? '',
    action: '',
    deviations: ['unknown_message_type'],
    ...(answer === undefined ? {} : { answer }),
  });
}

function onUnreadable(deps: InboundDeps, connection: Connection, frame: UnreadableFrame): void {
  connection.badFramesInARow += 1;
  const ref = frame.replyTo;
  const answer = ref && errorAnswer(connection.protocol, ref, frame.situation);
  if (ref !== undefined && answer !== undefined) answerOnce(deps, connection, ref, answer);
  // Counted, but no word of the charger: its text is not kept (rule 30).
  note(deps, connection, { raw: '', messageId: '', action: '', deviations: ['unreadable_frame'] });
  if (connection.badFramesInARow < MAX_BAD_FRAMES) return;
  const { chargerId, connectionId } = connection;
  deps.logger.info({ chargerId, connectionId }, 'closing a socket that sends only unreadable frames');
  closeSoon(connection, 1008, 'too many unreadable frames');
}

/** Something was heard that changes nothing else. */
function note(
  deps: InboundDeps,
  connection: Connection,
  word: {
    readonly raw: string;
    readonly messageId: string;
    readonly action: string;
    readonly answer?: string;
    readonly deviations?: readonly DeviationKind[];
  },
): void {
  const { text, bytes } = storedFrame(connection.masker.frame(word.raw), oversize(word.raw));
  const part = { ...word, raw: text, rawBytes: bytes, payload: null, holdMs: deps.holdMs };
  deps.publisher.publish(connection, 'log_only', part, () => undefined);
}
