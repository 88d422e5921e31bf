// Calls a charger: the one path of every operation of both APIs ("Flow 3" in ARCHITECTURE.md).
import { AppError, delay, type ErrorCode } from '@busbar/core';
import type { Charger, ChargerReader } from '../chargers/charger';
import type { LinkOutcome, ChargerAddress, ChargerLink } from './charger-link';
import type { CertificateHashData } from '../device-state/certificates';
import type { GatewayReader } from '../chargers/connections/gateway-record';
import { callWithNewKey, type KeyChangeDeps, type NewKey } from '../chargers/credentials/change-authorization-key';
import { readOwnedCharger } from '../chargers/owned-charger';
import { recordCommand, type Commanded, type RecordCommandDeps } from './record-command';

type Payload = Readonly<Record<string, unknown>>;

/** An operation encoded for one OCPP version, with the decoder of the charger's answer. */
export interface EncodedCall<Answer> {
  readonly action: string;
  readonly payload: Payload;
  readonly read: (answer: Payload) => Answer;
  /** The authorization key that the call gives to the charger. */
  readonly newKey?: NewKey | undefined;
  /** The tag for which the call requests a session. */
  readonly remoteStart?: { readonly rfidTag: string } | undefined;
}

/**
 * Encodes an operation for the charger's OCPP version; undefined where that version lacks it. Throws `invalid_request`
 * for input that the version cannot carry.
 */
export interface Encode<Answer> {
  (ocppVersion: string, stored?: StoredFacts): EncodedCall<Answer> | undefined;
  /** The operation's name in the command's record. */
  readonly operation: string;
  /** The operation's input in the command's record. */
  readonly input: object;
}

/** What the encoding needs beside the input. */
export interface StoredFacts {
  /** The charger's own id of the transaction; undefined for one of OCPP 1.6. */
  readonly deviceTransactionId?: string | undefined;
  /** Of the tag that the input names. */
  readonly tag?: { readonly type: string | null; readonly parentIdTag: string | null } | undefined;
  /** Of the certificate that the input names. */
  readonly certificateHashData?: CertificateHashData | undefined;
}

export interface CallChargerDeps extends RecordCommandDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & KeyChangeDeps['chargers'];
  readonly gateways: GatewayReader;
  readonly link: Pick<ChargerLink, 'call'>;
  readonly deviceModels: KeyChangeDeps['deviceModels'];
}

export interface ChargerOwner {
  readonly clientId: string;
  readonly chargerId: string;
}

export interface ChargerCommand<Answer> {
  readonly encode: Encode<Answer>;
  /** The charger's time to answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The id of the caller's API key. */
  readonly requestedBy: string;
  readonly requestId: string;
  /** Reads what the encoding needs, when the charger is known to be connected. Throws where a precondition does not hold. */
  readonly stored?: (charger: Charger) => Promise<StoredFacts>;
  /**
   * A further precondition, checked when the charger is known to be connected and before it is called. Throws if it
   * does not hold.
   */
  readonly check?: (charger: Charger, call: Pick<EncodedCall<Answer>, 'remoteStart'>) => Promise<void>;
}

/** The longest wait in the gateway's queue. With the longest timeout (60 s) a caller gets its response within 75 s. */
const WAIT_MS = 10_000;
/** Between two reads of a record that may be about to change: a connection is stored sooner. */
const READ_AGAIN_MS = 300;
const RETRY_AFTER_S = 5;
/** A rolling upgrade of gateways takes minutes. */
const UPGRADE_RETRY_AFTER_S = 60;

type Failed = Exclude<LinkOutcome['outcome'], 'answered' | 'error' | 'invalid_answer' | Missed['outcome']>;

/** The error of each outcome without an answer, with the seconds after which a retry may succeed. */
const FAILURES: Readonly<Record<Failed, readonly [code: ErrorCode, message: string, retryAfterS?: number]>> = {
  timeout: ['charger_timeout', 'The charger did not answer in time. Whether it executed the command is unknown.'],
  lost: [
    'charger_timeout',
    "The connection to the message broker broke before the charger's answer came. Whether it executed the command is unknown.",
  ],
  disconnected: [
    'charger_disconnected',
    'The connection was lost before the charger answered. Whether it executed the command is unknown.',
  ],
  busy: ['charger_busy', 'Too many commands wait for this charger. This one was not sent.', RETRY_AFTER_S],
  unsupported_version: [
    'unavailable',
    "The charger's gateway runs an older version that does not know this command. Nothing was sent; retry after the upgrade.",
    UPGRADE_RETRY_AFTER_S,
  ],
  unavailable: ['unavailable', 'The message broker is unavailable.'],
};

/**
 * Calls the charger through the gateway in its record and resolves with its answer, `Rejected` included. Throws
 * `not_found`; `charger_offline` and `not_supported_by_version` at once; `charger_busy` and `unavailable` when nothing
 * was sent; `charger_disconnected`, `charger_timeout`, `charger_error`, `charger_invalid_answer` when it was. A command
 * to one of the client's own chargers is always recorded.
 */
export async function callCharger<Answer extends object>(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  command: ChargerCommand<Answer>,
): Promise<Answer & Commanded> {
  const charger = await readOwnedCharger(deps, owner);
  const { requestedBy, requestId, encode } = command;
  const facts = { ...owner, operation: encode.operation, input: encode.input, requestedBy, requestId };
  return recordCommand(deps, facts, (commandId) => callFound(deps, owner, { ...command, commandId }, charger));
}

type IdentifiedCommand<Answer> = ChargerCommand<Answer> & Commanded;

async function callFound<Answer>(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  command: IdentifiedCommand<Answer>,
  charger: Charger,
): Promise<Answer> {
  const first = connectedOf(charger, owner);
  const stored = await command.stored?.(first.charger);
  const call = encodeFor(first, command, stored);
  await command.check?.(first.charger, call);
  const outcome = await send(deps, first, call, command);
  if (!isMissed(outcome)) return resultOf(outcome, call, owner);

  // The charger was not at that gateway: it has moved, or the record is about to show that it has disconnected.
  const second = await retryRead(deps, owner, first, outcome);
  const retryCall = encodeFor(second, command, stored);
  const last = await send(deps, second, retryCall, command);
  if (last.outcome === 'not_here') throw offline(owner);
  if (last.outcome === 'nobody') throw await disconnectedOrReconnecting(deps, second, owner);
  return resultOf(last, retryCall, owner);
}

interface Connected {
  readonly charger: Charger;
  readonly address: ChargerAddress;
  readonly version: string;
}

/** One attempt. The record contains a new key before the command with it is sent (rule 10). */
function send(
  deps: CallChargerDeps,
  { charger, address }: Connected,
  { action, payload, newKey }: EncodedCall<unknown>,
  { commandId, requestId, timeoutMs }: IdentifiedCommand<unknown>,
): Promise<LinkOutcome> {
  const call = { commandId, requestId, action, payload, timeoutMs, waitMs: WAIT_MS };
  const go = (): Promise<LinkOutcome> => deps.link.call(address, call);
  return newKey === undefined
    ? go()
    : callWithNewKey(deps, charger, { commandId, newKey, timeoutMs, waitMs: WAIT_MS }, go);
}

type Missed = Extract<LinkOutcome, { readonly outcome: 'not_here' | 'nobody' }>;

async function findConnected(deps: Pick<CallChargerDeps, 'chargers'>, owner: ChargerOwner): Promise<Connected> {
  return connectedOf(await readOwnedCharger(deps, owner), owner);
}

function connectedOf(charger: Charger, owner: ChargerOwner): Connected {
  const { active, gatewayId, ocppVersion } = charger.connection;
  if (!active || gatewayId === null || ocppVersion === null) throw offline(owner);
  const { chargerId, incarnationId } = charger;
  return { charger, address: { gatewayId, chargerId, incarnationId }, version: ocppVersion };
}

function encodeFor<Answer>(
  { version }: Connected,
  { encode }: ChargerCommand<Answer>,
  stored: StoredFacts | undefined,
): EncodedCall<Answer> {
  const call = encode(version, stored);
  if (call === undefined) {
    throw new AppError('not_supported_by_version', `The charger speaks ${version}, which has no such operation.`);
  }
  return call;
}

function isMissed(outcome: LinkOutcome): outcome is Missed {
  return outcome.outcome === 'not_here' || outcome.outcome === 'nobody';
}

/** Where to try once more. Throws when that is useless. */
async function retryRead(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  before: Connected,
  missed: Missed,
): Promise<Connected> {
  const now = await findConnected(deps, owner);
  if (!isSameConnection(before, now)) return now;
  if (missed.outcome === 'nobody') throw await disconnectedOrReconnecting(deps, now, owner);
  await delay(deps.clock, READ_AGAIN_MS);
  return findConnected(deps, owner);
}

function isSameConnection(a: Connected, b: Connected): boolean {
  const [one, other] = [a.charger.connection, b.charger.connection];
  return one.connectionId === other.connectionId && one.gatewayId === other.gatewayId;
}

/** Nobody listens under the gateway's id: without a lease it is dead, else it returns in a moment. */
async function disconnectedOrReconnecting(
  { gateways }: CallChargerDeps,
  { address }: Connected,
  owner: ChargerOwner,
): Promise<AppError> {
  if (await gateways.isDead(address.gatewayId)) return offline(owner);
  return new AppError('unavailable', "The charger's gateway is reconnecting.", {
    details: { retryAfterS: RETRY_AFTER_S },
  });
}

function resultOf<Answer>(outcome: LinkOutcome, call: EncodedCall<Answer>, owner: ChargerOwner): Answer {
  if (outcome.outcome === 'answered') return call.read(outcome.payload);
  throw failureOf(outcome, owner);
}

function failureOf(outcome: Exclude<LinkOutcome, { readonly outcome: 'answered' }>, owner: ChargerOwner): AppError {
  if (outcome.outcome === 'error') {
    const { code, description } = outcome;
    const text = description === '' ? code : `${code}: ${description}`;
    return new AppError('charger_error', `The charger answered with the error ${text}`, {
      details: { chargerError: { code, description } },
    });
  }
  if (outcome.outcome === 'invalid_answer') {
    return new AppError('charger_invalid_answer', `The charger's answer violates OCPP: ${outcome.description}`);
  }
  if (isMissed(outcome)) return offline(owner);
  const [code, message, retryAfterS] = FAILURES[outcome.outcome];
  return new AppError(code, message, retryAfterS === undefined ? {} : { details: { retryAfterS } });
}

function offline({ chargerId }: ChargerOwner): AppError {
  return new AppError('charger_offline', `The charger ${chargerId} is not connected.`);
}
