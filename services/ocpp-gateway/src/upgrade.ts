// From an HTTP upgrade request to an open connection, or to the answer that says why not.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Broker } from '@busbar/broker';
import { channels, type AdmissionAnswer, type AdmissionRequest } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import type { WebSocket, WebSocketServer } from 'ws';
import type { GatewayMetrics } from './gateway-metrics';
import { chooseSubprotocol, isSameIdentity, readCredentials, readIdentity } from './handshake';
import { createTurns, type TurnLimits, type Turns } from './turns';

export interface UpgradeDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly versions: readonly string[];
  readonly maxConnections: number;
  readonly partitions: number;
  /** Nothing is forgiven, whatever a charger's own switches say. */
  readonly strict: boolean;
  /** Of the admissions asked for at once and of those that wait. */
  readonly turns?: Partial<TurnLimits>;
  readonly gatewayId: () => string;
  readonly openConnections: () => number;
  readonly accepting: () => boolean;
  readonly server: WebSocketServer;
  /** Which subprotocol the server is to answer with; asked by the server in the middle of `handleUpgrade`. */
  readonly chosen: WeakMap<IncomingMessage, string>;
  readonly onOpen: (socket: WebSocket, admitted: Admitted) => void;
}

/** What is known of a charger once it may connect. */
export interface Admitted {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly version: string;
  readonly acceptance: Extract<AdmissionAnswer, { outcome: 'accept' }>;
  readonly deviations: readonly string[];
  readonly peer: string;
}

export interface UpgradeHandler {
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, options: { readonly secure: boolean }): void;
  /** Upgrades that wait for admission. */
  pending(): number;
}

/** How long charger-state may take over an admission before the charger is told to come again. */
const ADMISSION_MS = 5_000;
/** Upgrades under way at the same time, for whatever they wait; the next ones are told to come again. */
const MOST_PENDING = 20_000;
/**
 * A storm of reconnecting chargers is admitted as fast as charger-state can, this many at a time: a line of 10,000 is worked
 * off in some seconds, and what waits longer than a charger's patience is better told to come again.
 */
const TURNS: TurnLimits = { atOnce: 200, mostWaiting: 10_000, longestWaitMs: 15_000 };
/** Chargers that were told to come again should not all come at the same moment. */
const RETRY_AFTER_S = { least: 5, most: 15 };
/** A wrong password is answered this much later, which makes guessing slow and costs a charger nothing. */
const WRONG_PASSWORD_MS = 1_000;

interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 503;
  readonly reason: string;
}

/** Answers upgrades on `/ocpp/{chargerId}`. */
export function createUpgradeHandler(deps: UpgradeDeps): UpgradeHandler {
  let pending = 0;
  const turns = createTurns(deps.clock, { ...TURNS, ...deps.turns });

  async function handle(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): Promise<void> {
    const refusal = await admitted({ ...deps, turn: turns }, request, secure, (accepted) => {
      if (socket.destroyed) return;
      // Stopped, or without a broker, while charger-state was asked.
      if (deps.accepting()) open(deps, { request, socket, head }, accepted);
      else refuse(socket, { status: 503, reason: 'not_accepting' });
    });
    if (refusal === undefined) return;
    deps.metrics.upgrades.inc({ result: refusal.reason });
    refuse(socket, refusal);
  }

  return {
    pending: () => pending,
    handle(request, socket, head, { secure }) {
      // Until ws takes the socket over, its errors are ours: a charger that gives up must not end the process.
      const onError = (): void => void socket.destroy();
      socket.on('error', onError);
      if (!deps.accepting() || pending >= MOST_PENDING || deps.openConnections() >= deps.maxConnections) {
        deps.metrics.upgrades.inc({ result: 'not_accepting' });
        refuse(socket, { status: 503, reason: 'not_accepting' });
        return;
      }
      pending += 1;
      handle(request, socket, head, secure)
        .catch((error: unknown) => {
          deps.logger.error({ err: error }, 'an upgrade failed');
          socket.destroy();
        })
        .finally(() => {
          pending -= 1;
          socket.off('error', onError);
        });
    },
  };
}

/** Calls `accept` or gives the reason for refusing. */
async function admitted(
  deps: UpgradeDeps & { readonly turn: Turns },
  request: IncomingMessage,
  secure: boolean,
  accept: (admitted: Admitted | 'without_subprotocol') => void,
): Promise<Refusal | undefined> {
  const identity = readIdentity(request.url ?? '');
  if (!identity.ok) return { status: identity.status, reason: 'no_identity' };
  const { chargerId } = identity;
  const credentials = readCredentials(request.headers.authorization);
  const choice = chooseSubprotocol(request.headers['sec-websocket-protocol'], deps.versions);
  const question: AdmissionRequest = {
    chargerId,
    connectionId: createId(),
    gatewayId: deps.gatewayId(),
    secure,
    ocppVersion: choice.kind === 'chosen' ? choice.version : null,
    ...(credentials.kind === 'basic' ? { passwordBase64: credentials.password.toString('base64') } : {}),
  };
  const answer = await ask(deps, request, question);
  if (answer.outcome === 'refused') return answer.refusal;
  const isWrong = isForeign(credentials, chargerId) || isForgivenByNone(deps, answer);
  if (isWrong && answer.outcome !== 'unknown') return refusalOf(deps, 'unauthorized');
  if (answer.outcome !== 'accept') return refusalOf(deps, answer.outcome);
  if (answer.partitions !== deps.partitions) return wrongPartitions(deps, answer.partitions);
  const version = versionOf(choice, deps, answer.compatibility.assumeOcpp16);
  accept(version === undefined ? 'without_subprotocol' : admittedAs(version, question, answer, request));
  return undefined;
}

function admittedAs(
  version: string,
  { chargerId, connectionId, ocppVersion }: AdmissionRequest,
  acceptance: Admitted['acceptance'],
  request: IncomingMessage,
): Admitted {
  const assumed = ocppVersion === null ? ['no_subprotocol'] : [];
  const deviations = [...acceptance.deviations, ...assumed];
  return { chargerId, connectionId, version, acceptance, deviations, peer: request.socket.remoteAddress ?? '' };
}

/** charger-state's word, asked for when the upgrade's turn comes. */
async function ask(
  deps: UpgradeDeps & { readonly turn: Turns },
  request: IncomingMessage,
  question: AdmissionRequest,
): Promise<AdmissionAnswer | { readonly outcome: 'refused'; readonly refusal: Refusal }> {
  const result = await deps.turn.take(
    () => deps.broker.request(channels.admissions, '', question, ADMISSION_MS),
    () => !request.socket.destroyed,
  );
  if (result?.outcome === 'answered') return result.answer;
  const reason = result === undefined ? 'too_many_at_once' : 'charger_state_away';
  return { outcome: 'refused', refusal: { status: 503, reason } };
}

/** Credentials that are not this charger's own: another identity, or nothing that can be read (rule 12). */
function isForeign(credentials: ReturnType<typeof readCredentials>, chargerId: string): boolean {
  if (credentials.kind === 'basic') return !isSameIdentity(credentials.username, chargerId);
  return credentials.kind === 'invalid';
}

/** A key that is right only in a form that a strict listener does not accept (rule 9). */
function isForgivenByNone({ strict }: UpgradeDeps, answer: AdmissionAnswer): boolean {
  return strict && answer.outcome === 'accept' && answer.deviations.length > 0;
}

async function refusalOf(deps: UpgradeDeps, outcome: Exclude<AdmissionAnswer['outcome'], 'accept'>): Promise<Refusal> {
  if (outcome === 'unknown') return { status: 404, reason: 'unknown_charger' };
  if (outcome === 'insecure') return { status: 403, reason: 'insecure' };
  if (outcome === 'unavailable') return { status: 503, reason: 'store_away' };
  await wait(deps.clock, WRONG_PASSWORD_MS);
  return { status: 401, reason: 'unauthorized' };
}

function versionOf(
  choice: ReturnType<typeof chooseSubprotocol>,
  { strict, versions }: UpgradeDeps,
  assumeOcpp16: boolean,
): string | undefined {
  if (choice.kind === 'chosen') return choice.version;
  if (choice.kind === 'no_match' || strict || !assumeOcpp16) return undefined;
  // Never a later version: only 1.6 had chargers in the field that name none (rule 3).
  return versions.find((version) => version === 'ocpp1.6');
}

function wrongPartitions(deps: UpgradeDeps, stored: number): Refusal {
  deps.logger.error(
    { stored, configured: deps.partitions },
    `PARTITIONS must be ${String(stored)}, the value that the store was made with; no charger is admitted until it is`,
  );
  return { status: 503, reason: 'wrong_partitions' };
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function open(deps: UpgradeDeps, upgrade: Upgrade, admitted: Admitted | 'without_subprotocol'): void {
  const { request, socket, head } = upgrade;
  if (admitted !== 'without_subprotocol' && request.headers['sec-websocket-protocol'] !== undefined) {
    deps.chosen.set(request, admitted.version);
  }
  deps.server.handleUpgrade(request, socket, head, (websocket) => {
    if (admitted === 'without_subprotocol') {
      // OCPP-J 1.6, 3.1.2: complete the handshake without a subprotocol, then close at once (rules 2 and 3).
      deps.metrics.upgrades.inc({ result: 'no_subprotocol' });
      websocket.on('error', () => websocket.terminate());
      websocket.close(1002, 'no common subprotocol');
      return;
    }
    deps.metrics.upgrades.inc({ result: 'accepted' });
    deps.onOpen(websocket, admitted);
  });
}

const REASONS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
} as const;

/** An HTTP answer on the raw socket, which then ends. */
export function refuse(socket: Duplex, { status, reason }: Refusal): void {
  // A peer that is gone already is nobody's error.
  socket.on('error', () => undefined);
  if (socket.destroyed || !socket.writable) return;
  const requestId = createId();
  const body = JSON.stringify({ code: reason, requestId });
  const extra =
    status === 401
      ? 'WWW-Authenticate: Basic realm="ocpp", charset="UTF-8"\r\n'
      : status === 503
        ? `Retry-After: ${String(retryAfterS())}\r\n`
        : '';
  socket.end(
    `HTTP/1.1 ${String(status)} ${REASONS[status]}\r\n${extra}Content-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function retryAfterS(): number {
  const { least, most } = RETRY_AFTER_S;
  return least + Math.floor(Math.random() * (most - least + 1));
}

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
