// Processes a frame from a charger: parses, validates, publishes and answers it. The answer to a report follows the broker's
// confirm, that to a decision follows charger-state's answer, and a refusal is immediate. Answers keep the order of the CALLs.
import type { PendingStart } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import {
  acceptCall,
  addresseeOf,
  errorAnswer,
  errorDescription,
  parseFrame,
  serializeResult,
  STRICT,
  type AcceptedCall,
  type CallFrame,
  type Frame,
  type MessageRef,
  type Situation,
  type TagQuestion,
  type UnreadableFrame,
} from '@busbar/ocpp';
import type { AuthorizerDeps } from './authorizer';
import { answerOnce, openSlot, resolveSlot, resolveWithoutReplay } from './answers';
import type { AnswerSlot, Connection } from '../connection/connection';
import type { Decisions } from './decisions';
import type { GatewayMetrics } from '../gateway-metrics';
import { closeSocket } from '../connection/close';
import { trackTransactions } from '../connection/idle';
import type { PublishResult } from '../connection/report-publisher';
import type { Publisher } from './publisher';
import { fieldsOf } from './frame-fields';
import { logOnly, MAX_STORED_ID } from './log-only';
import { onResultError, onSend, onUnusableSend } from './sends';
import { judgeBoot } from './boot-gate';
import { createVerdictQueue, type VerdictQueue } from './verdict-queue';

export interface InboundDeps extends AuthorizerDeps {
  readonly publisher: Publisher;
  readonly decisions: Decisions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly strict: boolean;
  /** The time that a call is held for an unavailable broker or store (rule 69). */
  readonly holdMs: number;
  /** A call was refused because the broker or charger-state was unavailable. */
  readonly onRefused: (connection: Connection, call: CallFrame) => void;
  /** A report was confirmed. */
  readonly onAccepted: (connection: Connection, call: CallFrame) => void;
}

interface Parts extends InboundDeps {
  readonly verdicts: VerdictQueue;
}

export type Inbound = ReturnType<typeof createInbound>;

/** After so many unreadable frames in a row the socket is closed with 1008 (rule 30). */
const MAX_BAD_FRAMES = 10;

export function createInbound(inboundDeps: InboundDeps) {
  const deps: Parts = { ...inboundDeps, verdicts: createVerdictQueue(inboundDeps) };
  return {
    /** One text frame. Never throws. */
    receive(connection: Connection, text: string): void {
      const frame = parseFrame(text, connection.protocol.rpc);
      deps.metrics.frames.inc({ type: frame.type });
      try {
        process(deps, connection, frame, text);
      } catch (error) {
        onFault(deps, connection, frame, error);
      }
    },
    /** The socket has closed: nothing waits for a verdict any more. */
    ended: deps.verdicts.ended,
  };
}

function process(deps: Parts, connection: Connection, frame: Frame, text: string): void {
  switch (frame.type) {
    case 'call':
      connection.badFramesInARow = 0;
      onCall(deps, connection, frame, text);
      return;
    case 'result':
    case 'error':
      connection.badFramesInARow = 0;
      connection.lastResult = text;
      // An answer to a CALL of ours is part of that CALL's outcome.
      if (connection.calls.receive(frame)) return;
      logOnly(deps, connection, { raw: text, messageId: frame.id, action: '', deviations: ['unmatched_answer'] });
      return;
    case 'send':
      connection.badFramesInARow = 0;
      onSend(deps, connection, frame, text);
      return;
    case 'unusable_send':
      onUnusableSend(deps, connection, text);
      return;
    case 'result_error':
      connection.badFramesInARow = 0;
      onResultError(deps, connection, frame, text);
      return;
    case 'unknown_type':
      onUnknownType(deps, connection, frame.replyTo, text);
      return;
    case 'unreadable':
      onUnreadable(deps, connection, frame);
  }
}

/** The boundary for defects: one frame fails, and its answer reveals nothing of the cause (rule 41). */
function onFault(deps: Parts, connection: Connection, frame: Frame, error: unknown): void {
  const { chargerId, connectionId } = connection;
  deps.logger.error({ err: error, chargerId, connectionId, errorId: createId() }, 'processing a frame failed');
  if (frame.type !== 'call') return;
  const slot = connection.answers.find(({ ref, answer }) => ref.id === frame.id && answer === undefined);
  fail(deps, connection, slot ?? openSlot(deps, connection, frame, frame.action), frame);
}

function onCall(deps: Parts, connection: Connection, frame: CallFrame, text: string): void {
  if (deps.strict && frame.numericId) {
    refuseNumericId(deps, connection, frame, text);
    return;
  }
  const verdict = connection.replay.begin(frame, text);
  switch (verdict.kind) {
    case 'answered':
      // The identical answer, and no second effect (rule 28), in the order of the CALLs (rule 23).
      resolveWithoutReplay(deps, connection, openSlot(deps, connection, frame, frame.action), verdict.answer);
      logOnly(deps, connection, { raw: text, messageId: frame.id, action: frame.action, answer: verdict.answer });
      return;
    case 'open':
      logOnly(deps, connection, { raw: text, messageId: frame.id, action: frame.action });
      return;
    case 'conflict':
      refuse(deps, connection, { ref: frame, action: frame.action, situation: 'reused_message_id', text });
      return;
    case 'new':
      break;
  }
  const accepted = judgeCall(deps, connection, frame);
  if (!accepted.ok) {
    const { situation, description } = accepted;
    refuse(deps, connection, { ref: frame, action: frame.action, situation, description, text });
    return;
  }
  const slot = openSlot(deps, connection, frame, frame.action);
  if (accepted.action.kind === 'report') report(deps, connection, { frame, accepted, slot, text });
  else decide(deps, connection, { frame, accepted, slot, text });
}

/** Not remembered: its answer may have another id, that of every such frame (rule 112). */
function refuseNumericId(deps: Parts, connection: Connection, frame: CallFrame, text: string): void {
  const description = 'The message id is a number: it must be a text.';
  const ref = connection.protocol.rpc.anonymousId === undefined ? frame : addresseeOf(connection.protocol, undefined);
  if (ref !== undefined) {
    refuse(deps, connection, { ref, action: frame.action, situation: 'malformed_frame', description, text });
  }
}

function judgeCall({ strict }: Parts, connection: Connection, frame: CallFrame): ReturnType<typeof acceptCall> {
  const admitted = connection.protocol.requiresBoot ? judgeBoot(connection, frame.action, strict) : 'accepted';
  if (admitted === 'refused')
    return { ok: false, situation: 'not_accepted', description: errorDescription('not_accepted') };
  const accepted = acceptCall(connection.protocol, frame, strict ? STRICT : connection.compatibility);
  if (!accepted.ok || admitted === 'accepted') return accepted;
  return { ...accepted, deviations: [...accepted.deviations, admitted] };
}

interface Call {
  readonly frame: CallFrame;
  readonly accepted: AcceptedCall;
  readonly slot: AnswerSlot;
  readonly text: string;
}

function report(deps: Parts, connection: Connection, call: Call): void {
  const { frame, accepted, slot } = call;
  if (accepted.action.kind !== 'report') return;
  const now = deps.clock.now();
  const answer = serializeResult(frame, accepted.action.reply(now, accepted.payload));
  const fields = fieldsOf(connection, call, { receivedAt: now, holdMs: deps.holdMs, answer });
  const done = (result: PublishResult): void => {
    if (result === 'confirmed') {
      deps.onAccepted(connection, frame);
      if (accepted.action.isTransactional) trackTransactions(connection, callOf(call), {});
      resolveSlot(deps, connection, slot, answer);
    } else fail(deps, connection, slot, frame);
  };
  deps.verdicts.publish(connection, { kind: 'report', fields, done });
}

function callOf({ frame, accepted }: Call) {
  return { action: frame.action, payload: accepted.payload };
}

function decide(deps: Parts, connection: Connection, call: Call): void {
  const { frame, accepted, slot } = call;
  const now = deps.clock.now();
  const id = deps.publisher.nextId(now);
  deps.decisions.expect(id, deps.holdMs, (answer) => {
    if (answer === undefined) fail(deps, connection, slot, frame);
    else {
      trackTransactions(connection, callOf(call), answer);
      connection.boot = connection.protocol.bootStatusOf(frame.action, answer) ?? connection.boot;
      resolveSlot(deps, connection, slot, serializeResult(frame, answer));
    }
  });
  const fields = {
    ...fieldsOf(connection, call, { receivedAt: now, holdMs: deps.holdMs }),
    id,
    pendingStart: accepted.action.namesTag ? pendingStartOf(connection) : undefined,
    replyTo: deps.decisions.address,
    deadline: new Date(now.getTime() + deps.holdMs).toISOString(),
  };
  deps.verdicts.publish(connection, {
    kind: 'decision',
    fields,
    // The deadline in `decisions` covers an expired report and a missing answer.
    done: () => undefined,
    question: questionOf(connection, call),
    certificateQuestion: connection.protocol.certificateQuestionOf?.(frame.action, accepted.payload),
    drop: () => deps.decisions.cancel(id),
  });
}

/** The tag that the client's endpoint is asked about. Most clients have none. */
function questionOf({ authorization, protocol }: Connection, { frame, accepted }: Call): TagQuestion | undefined {
  if (authorization?.terms === undefined) return undefined;
  return protocol.tagQuestionOf({ action: frame.action, payload: accepted.payload });
}

/** Some chargers authorize or start before they answer the remote start, so its outcome follows later. */
function pendingStartOf({ calls, masker, protocol }: Connection): PendingStart | undefined {
  const pending = calls.pending();
  return pending && protocol.remoteStartOf({ action: pending.action, payload: masker.payload(pending.payload) });
}

interface RefusedCall {
  readonly ref: MessageRef;
  readonly action: string;
  readonly situation: Situation;
  readonly description?: string;
  readonly text: string;
}

/** Answers with a CALLERROR, in order. The frame was well-formed, so it counts as a sign of life (rule 20). */
function refuse(deps: Parts, connection: Connection, call: RefusedCall): void {
  const { ref, action, situation, text } = call;
  deps.metrics.refusedCalls.inc({ situation });
  const answer = errorAnswer(connection.protocol, ref, situation, call.description);
  const slot = openSlot(deps, connection, ref, action);
  const logged = { raw: text, messageId: ref.id, action: action.slice(0, 64) };
  logOnly(deps, connection, answer === undefined ? logged : { ...logged, answer });
  if (situation === 'not_accepted') {
    // Not remembered: once a boot is accepted, a repeat of the frame is processed (rule 121).
    slot.times = connection.replay.forget(ref);
  } else if (situation !== 'reused_message_id' && situation !== 'malformed_frame') {
    // The first use of the id keeps its own answer (rule 28).
    slot.times = connection.replay.recordAnswer(ref, answer ?? '');
  }
  resolveWithoutReplay(deps, connection, slot, answer ?? '');
}

function fail(deps: Parts, connection: Connection, slot: AnswerSlot, call: CallFrame): void {
  deps.metrics.failedCalls.inc({});
  deps.onRefused(connection, call);
  const answer = errorAnswer(connection.protocol, slot.ref, 'internal') ?? '';
  // Not remembered: a repeat of the frame is processed again.
  slot.times = connection.replay.forget(slot.ref);
  resolveWithoutReplay(deps, connection, slot, answer);
}

function onUnknownType(deps: Parts, connection: Connection, from: MessageRef | undefined, text: string): void {
  const ref = addresseeOf(connection.protocol, from);
  const answer = ref && errorAnswer(connection.protocol, ref, 'unknown_message_type');
  if (ref !== undefined && answer !== undefined) answerOnce(deps, connection, ref, answer);
  logOnly(deps, connection, {
    raw: text,
    messageId: ref?.id.slice(0, MAX_STORED_ID) ?? '',
    action: '',
    deviations: ['unknown_message_type'],
    ...(answer === undefined ? {} : { answer }),
  });
}

function onUnreadable(deps: Parts, connection: Connection, frame: UnreadableFrame): void {
  connection.badFramesInARow += 1;
  const ref = addresseeOf(connection.protocol, frame.replyTo);
  const answer = ref && errorAnswer(connection.protocol, ref, frame.situation);
  if (ref !== undefined && answer !== undefined) answerOnce(deps, connection, ref, answer);
  // Counted as a deviation; its text is not stored (rule 30).
  logOnly(deps, connection, { raw: '', messageId: '', action: '', deviations: ['unreadable_frame'] });
  if (connection.badFramesInARow < MAX_BAD_FRAMES) return;
  const { chargerId, connectionId } = connection;
  deps.logger.info({ chargerId, connectionId }, 'closing a socket that sends only unreadable frames');
  closeSocket(connection, 1008, 'too many unreadable frames');
}
