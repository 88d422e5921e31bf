// Encodes an operation as a CALL that the charger's version has and whose payload fits its schema.
import type { PendingStart } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { maskPayload } from '../masking/mask';
import type { PayloadFailure, PayloadSchema } from '../compiled';
import type { ActionCall, Protocol } from '../protocol';
import { protocolOf } from '../protocols';
import type { InputIssue, OperationName, Operations, StoredFacts, VersionCall } from './operation';

/** More would make the response larger than the request and help nobody. */
const MAX_REPORTED = 50;

type Payload = Readonly<Record<string, unknown>>;

/** A CALL with what it does beyond the charger. */
export interface EncodedCall<Answer> extends VersionCall<Answer> {
  /** The authorization key that it gives to the charger. */
  readonly newKey: NewKey | undefined;
  /** The session that it requests. */
  readonly remoteStart: PendingStart | undefined;
}

export interface NewKey {
  readonly value: string;
  /** Its path in the input. */
  readonly path: string;
  /** Text of at most so many characters; undefined: hexadecimal digits. */
  readonly maxCharacters: number | undefined;
  /** The variable whose maximum takes the place of `maxCharacters`, where the charger has reported one. */
  readonly variable?: string | undefined;
}

/** Undefined where the version has no such operation. */
export interface VersionEncoder<Answer> {
  (version: string, stored?: StoredFacts): EncodedCall<Answer> | undefined;
  readonly operation: string;
  /** The operation's input; for a raw call its payload. */
  readonly input: object;
}

/**
 * The operation for whatever version the charger turns out to speak: undefined where that has no such operation. Throws
 * AppError `invalid_request` for values that the version cannot carry, at their paths in the input. Secrets in the answer
 * are masked. `recorded` is what the command's record shows, where the caller asked for it in another form.
 */
export function encodeOperation<Name extends OperationName>(
  name: Name,
  input: Operations[Name]['input'],
  recorded: object = input,
): VersionEncoder<Operations[Name]['answer']> {
  const encode = (version: string, stored: StoredFacts = {}): EncodedCall<Operations[Name]['answer']> | undefined => {
    const protocol = protocolOf(version);
    const encoded = protocol?.operations[name]?.(input, stored, protocol.version);
    if (protocol === undefined || encoded === undefined) return undefined;
    const { issues: own = [], ...call } = encoded;
    const found = issuesWith(protocol, call.action, call.payload, '');
    const issues = [
      ...own,
      ...found.map(({ path, message }) => ({ path: protocol.operationPath(name, path, input), message })),
    ];
    if (issues.length > 0) throw refusal(issues);
    const schema = protocol.schemas.get(call.action)?.request.schema;
    const payload = schema === undefined ? call.payload : inSchemaOrder(schema, call.payload);
    const sent = { action: call.action, payload };
    const inInput = (path: string) => protocol.operationPath(name, path, input);
    return {
      ...sent,
      ...effectsOf(protocol, sent, '/variables', inInput),
      read: (answer) => call.read(maskPayload(answer)),
    };
  };
  return Object.assign(encode, { operation: name, input: recorded });
}

export interface RawAnswer {
  /** The answer's own `status`; null where its action has none. */
  readonly status: string | null;
  /** Secrets masked. */
  readonly payload: Payload;
}

/** Any CALL that we may send, unchanged. Issues are below `/payload`, or at `/action` for an action that only chargers send. */
export function encodeRawCall(action: string, payload: Payload): VersionEncoder<RawAnswer> {
  const encode = (version: string): EncodedCall<RawAnswer> | undefined => {
    const protocol = protocolOf(version);
    const known = protocol?.actions.get(action);
    if (protocol === undefined || known === undefined) return undefined;
    if (known.from === 'charger') {
      throw refusal([{ path: '/action', message: `${action} is sent by chargers only` }]);
    }
    const issues = issuesWith(protocol, action, payload, '/payload');
    if (issues.length > 0) throw refusal(issues);
    return {
      action,
      payload,
      ...effectsOf(protocol, { action, payload }, '/payload', (path) => `/payload${path}`),
      read: readRaw,
    };
  };
  return Object.assign(encode, { operation: action, input: payload });
}

/** `at`: the path of what sets the keys; `pathOf`: that of a field of the payload. */
function effectsOf(
  protocol: Protocol,
  call: ActionCall,
  at: string,
  pathOf: (path: string) => string,
): Pick<EncodedCall<never>, 'newKey' | 'remoteStart'> {
  const { maxPasswordCharacters: maxCharacters, passwordVariable: variable } = protocol;
  const [found, ...others] = protocol.newKeysOf(call);
  // Which of them counts would be the charger's to say.
  if (others.length > 0) throw refusal([{ path: at, message: 'must set at most one password' }]);
  const newKey = found && { value: found.value, path: pathOf(found.path), maxCharacters, variable };
  return { newKey, remoteStart: protocol.remoteStartOf(call) };
}

/** Fields in the order of the schema, since some chargers depend on it, before those of which it says nothing. */
function inSchemaOrder({ properties = {} }: PayloadSchema, payload: Payload): Payload {
  const fields = Object.entries(properties).filter(([name]) => Object.hasOwn(payload, name));
  const known = fields.map(([name, field]) => [name, ordered(field, payload[name])] as const);
  const others = Object.entries(payload).filter(([name]) => !Object.hasOwn(properties, name));
  return Object.fromEntries([...known, ...others]);
}

function ordered(schema: PayloadSchema, value: unknown): unknown {
  const { items } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item: unknown) => ordered(items, item));
  return typeof value === 'object' && value !== null ? inSchemaOrder(schema, value as Payload) : value;
}

function readRaw(answer: Payload): RawAnswer {
  const { status } = answer;
  return { status: typeof status === 'string' ? status : null, payload: maskPayload(answer) };
}

/** Strict: deviations that are tolerated from chargers are not sent to them. */
function issuesWith(protocol: Protocol, action: string, payload: Payload, at: string): readonly InputIssue[] {
  const check = protocol.sent.get(action);
  if (check === undefined || check(payload)) return [];
  return (check.errors ?? []).slice(0, MAX_REPORTED).map((failure) => issueOf(failure, at));
}

function issueOf({ keyword, instancePath, params }: PayloadFailure, at: string): InputIssue {
  const field = params['missingProperty'] ?? params['additionalProperty'];
  const last = typeof field === 'string' ? `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
  return { path: `${at}${instancePath}${last}`, message: describeError(keyword, params) };
}

function describeError(keyword: string, params: Payload): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field of this message';
  if (keyword === 'format') return 'must be a timestamp such as 2026-01-31T12:00:00.000Z';
  const { allowedValues, limit, type } = params;
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  if (keyword === 'maxLength') return `must have at most ${String(limit)} characters`;
  if (typeof limit === 'number') return `must keep within ${String(limit)} (${keyword})`;
  return typeof type === 'string' ? `must be ${type}` : `fails "${keyword}"`;
}

function refusal(issues: readonly InputIssue[]): AppError {
  const [first] = issues;
  const message = first === undefined ? 'The payload is invalid.' : `${first.path} ${first.message}`;
  return new AppError('invalid_request', `OCPP cannot carry this: ${message}.`, { details: { issues } });
}
