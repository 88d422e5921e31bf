// Parses and serializes OCPP-J frames. It knows no action and no schema, only the array around them.
import { parseJson } from '@busbar/core';
import { NO_DEVIATIONS, type DeviationKind } from './deviation';
import { RPC_16, type RpcRules } from './rpc-rules';

/** OCPP-J's limit is 36; longer ids are answered up to here (rule 29). */
const MAX_ID_LENGTH = 255;
const STANDARD_ID_LENGTH = 36;
const MAX_DESCRIPTION_LENGTH = 255;
const MAX_CODE_LENGTH = 64;
/** The deepest payload of any version has 8 levels. A raw payload must stay storable: documents may have 100. */
const MAX_DEPTH = 32;

/** The part of a CALL that its answer needs: its id, and whether the id is a number. */
export interface MessageRef {
  /** The id; for a number, its original text. */
  readonly id: string;
  readonly numericId: boolean;
}

export interface CallFrame extends MessageRef {
  readonly type: 'call';
  readonly action: string;
  /** Any JSON; the validator checks it. */
  readonly payload: unknown;
  readonly deviations: readonly DeviationKind[];
}

export interface ResultFrame {
  readonly type: 'result';
  readonly id: string;
  /** Undefined where the frame has not exactly three elements, which no schema allows. */
  readonly payload: unknown;
}

export interface ErrorFrame {
  readonly type: 'error';
  readonly id: string;
  readonly code: string;
  readonly description: string;
}

/** An unknown message type number. */
export interface UnknownTypeFrame {
  readonly type: 'unknown_type';
  readonly messageType: number;
  readonly replyTo?: MessageRef;
}

/** A CALL without an answer (2.1). */
export interface SendFrame extends MessageRef {
  readonly type: 'send';
  readonly action: string;
  readonly payload: unknown;
  readonly deviations: readonly DeviationKind[];
}

/** A SEND that holds no action and payload. It gets no answer either. */
export interface UnusableSendFrame {
  readonly type: 'unusable_send';
}

/** The charger refuses a CALLRESULT of ours (2.1). */
export interface ResultErrorFrame extends MessageRef {
  readonly type: 'result_error';
}

export interface UnreadableFrame {
  readonly type: 'unreadable';
  /** Present where a CALL's id is readable: the answer is `situation`. Otherwise the frame is dropped. */
  readonly replyTo?: MessageRef;
  readonly situation: 'malformed_frame' | 'malformed_payload';
}

export type Frame =
  | CallFrame
  | ResultFrame
  | ErrorFrame
  | SendFrame
  | UnusableSendFrame
  | ResultErrorFrame
  | UnknownTypeFrame
  | UnreadableFrame;

const UNREADABLE: UnreadableFrame = { type: 'unreadable', situation: 'malformed_frame' };

/** Reads one text frame of a version. Never throws; time is linear in the text's length, whose limit is the socket's. */
export function parseFrame(text: string, rpc: RpcRules = RPC_16): Frame {
  const parts = parseJson(text);
  if (!isArray(parts)) return UNREADABLE;
  const messageType = parts[0];
  if (messageType === 2) return parseCall(parts, text);
  if (messageType === 3) return parseResult(parts);
  if (messageType === 4) return parseError(parts);
  return parseOther(parts, text, rpc);
}

function parseOther(parts: readonly unknown[], text: string, rpc: RpcRules): Frame {
  const messageType = parts[0];
  if (rpc.hasSend && messageType === 5) return parseResultError(parts, text);
  if (rpc.hasSend && messageType === 6) return parseSend(parts, text);
  if (typeof messageType !== 'number') return rpc.anonymousId === undefined ? UNREADABLE : unreadableFrom(parts, text);
  const replyTo = readRef(parts[1], text);
  return replyTo === undefined ? { type: 'unknown_type', messageType } : { type: 'unknown_type', messageType, replyTo };
}

/** A CALL of ours as text. */
export function serializeCall(id: string, action: string, payload: Readonly<Record<string, unknown>>): string {
  return `[2,${JSON.stringify(id)},${JSON.stringify(action)},${JSON.stringify(payload)}]`;
}

/** The answer to a charger's CALL as text. */
export function serializeResult(call: MessageRef, payload: Readonly<Record<string, unknown>>): string {
  return `[3,${idText(call)},${JSON.stringify(payload)}]`;
}

/** A CALLRESULTERROR as text (2.1): the charger's CALLRESULT of this id is refused. */
export function serializeResultError(id: string, code: string, description: string): string {
  const text = description.slice(0, MAX_DESCRIPTION_LENGTH);
  return `[5,${JSON.stringify(id)},${JSON.stringify(code)},${JSON.stringify(text)},{}]`;
}

/** A CALLERROR as text. The description is cut at 255 characters; details are an object always. */
export function serializeError(
  call: MessageRef,
  code: string,
  description = '',
  details: Readonly<Record<string, unknown>> = {},
): string {
  const text = description.slice(0, MAX_DESCRIPTION_LENGTH);
  return `[4,${idText(call)},${JSON.stringify(code)},${JSON.stringify(text)},${JSON.stringify(details)}]`;
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function parseCall(parts: readonly unknown[], text: string): Frame {
  const ref = readRef(parts[1], text);
  if (ref === undefined) return UNREADABLE;
  const action = parts[2];
  if (parts.length !== 4 || typeof action !== 'string' || ref.id === '' || ref.id.length > MAX_ID_LENGTH) {
    return { type: 'unreadable', replyTo: ref, situation: 'malformed_frame' };
  }
  const payload = parts[3];
  if (!isShallow(payload, MAX_DEPTH)) return { type: 'unreadable', replyTo: ref, situation: 'malformed_payload' };
  const { id, numericId } = ref;
  return { type: 'call', id, numericId, action, payload, deviations: idDeviations(ref) };
}

function parseResult(parts: readonly unknown[]): Frame {
  const id = parts[1];
  if (typeof id !== 'string') return UNREADABLE;
  const whole = parts.length === 3 && isShallow(parts[2], MAX_DEPTH);
  return { type: 'result', id, payload: whole ? parts[2] : undefined };
}

// Rule 36: whatever follows the id, the exchange failed. Nothing reads the details, so they are dropped.
function parseError(parts: readonly unknown[]): Frame {
  const [, id, code, description] = parts;
  if (typeof id !== 'string') return UNREADABLE;
  return {
    type: 'error',
    id,
    code: typeof code === 'string' && code !== '' ? code.slice(0, MAX_CODE_LENGTH) : 'GenericError',
    description: typeof description === 'string' ? description.slice(0, MAX_DESCRIPTION_LENGTH) : '',
  };
}

/** Rule 115: judged as a CALL, but never answered. */
function parseSend(parts: readonly unknown[], text: string): Frame {
  const call = parseCall(parts, text);
  return call.type === 'call' ? { ...call, type: 'send' } : { type: 'unusable_send' };
}

/** A numeric id is that of a CALL whose own was tolerated (rule 29). */
function parseResultError(parts: readonly unknown[], text: string): Frame {
  const ref = readRef(parts[1], text);
  return ref === undefined ? UNREADABLE : { type: 'result_error', ...ref };
}

/** Rule 110: a frame of no message type, whose id may be readable. */
function unreadableFrom(parts: readonly unknown[], text: string): UnreadableFrame {
  const replyTo = readRef(parts[1], text);
  return replyTo === undefined ? UNREADABLE : { ...UNREADABLE, replyTo };
}

function readRef(id: unknown, text: string): MessageRef | undefined {
  if (typeof id === 'string') return { id, numericId: false };
  if (typeof id !== 'number') return undefined;
  // Echoed unchanged (rule 29): 1.0 and 12345678901234567890 do not survive a JavaScript number.
  const token = SECOND_NUMBER.exec(text)?.[1];
  // 1e999 is read as Infinity, which no JSON can echo.
  if (token === undefined && !Number.isFinite(id)) return undefined;
  return { id: token ?? String(id), numericId: true };
}

/** The number behind a first element that is a text, which may have commas, a number or a word. */
const SECOND_NUMBER = /^\s*\[\s*(?:"(?:[^"\\]|\\.)*"|[^\s,[{"]+)\s*,\s*([-+.\deE]+)/;

function idDeviations(ref: MessageRef): readonly DeviationKind[] {
  if (ref.numericId) return ['numeric_message_id'];
  return ref.id.length > STANDARD_ID_LENGTH ? ['long_message_id'] : NO_DEVIATIONS;
}

function idText(ref: MessageRef): string {
  return ref.numericId ? ref.id : JSON.stringify(ref.id);
}

/** Returns whether `value` nests at most `levels` objects and arrays. It descends no deeper, so its stack is bounded. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isShallow(item, levels - 1));
  for (const key in value) {
    if (!isShallow((value as Record<string, unknown>)[key], levels - 1)) return false;
  }
  return true;
}
