// From an HTTP upgrade request to an open connection, or to the answer that says why not.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Broker } from '@busbar/broker';
import { channels, type AdmissionAnswer, type AdmissionRequest } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import type { WebSocket, WebSocketServer } from 'ws';
import type { GatewayMetrics } from './gateway-metrics';
import { createGuesses, type Attempt, type GuessLimits, type Guesses } from './guesses';
import { chooseSubprotocol, isSameIdentity, readCredentials, readIdentity } from './handshake';
import { openWebsocket, type Upgrade } from './open-websocket';
import { refuse, type Refusal } from './refusal';
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
  readonly guessLimits?: GuessLimits;
  readonly gatewayId: () => string;
  readonly openConnections: () => number;
  readonly accepting: () => boolean;
  readonly server: WebSocketServer;
  readonly onOpen: (socket: WebSocket, admitted: Admitted) => void;
}

/** What is known of a charger once it may connect. */
export interface Admitted {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly version: string;
  /** Whether the charger named the version, and is to be told that it was chosen; else it was assumed. */
  readonly offered: boolean;
  readonly acceptance: Extract<AdmissionAnswer, { outcome: 'accept' }>;
  readonly deviations: readonly string[];
  readonly peer: string;
}

export interface UpgradeHandler {
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeConnection): void;
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
/** A wrong password is answered this much later, which makes guessing slow and costs a charger nothing. */
const WRONG_PASSWORD_MS = 1_000;

/** Answers upgrades on `/ocpp/{chargerId}`. */
export function createUpgradeHandler(deps: UpgradeDeps): UpgradeHandler {
  let pending = 0;
  /** Of the pending ones those that may still come to be connections. */
  let undecided = 0;
  const tools: Tools = {
    ...deps,
    turn: createTurns(deps.clock, { ...TURNS, ...deps.turns }),
    guesses: createGuesses(deps.clock, deps.guessLimits),
  };

  async function handle(upgrade: Upgrade, from: UpgradeConnection): Promise<void> {
    const { socket } = upgrade;
    undecided += 1;
    const refusal = await admitted(tools, upgrade.request, from, (accepted) => {
      if (socket.destroyed) return;
      // Stopped, or without a broker, while charger-state was asked.
      if (deps.accepting()) open(deps, upgrade, accepted);
      else refuse(socket, upgrade.request, { status: 503, reason: deps.broker.ready() ? 'stopping' : 'broker_away' });
    }).finally(() => (undecided -= 1));
    if (refusal === undefined) return;
    if (refusal.status === 401) await wait(deps.clock, WRONG_PASSWORD_MS);
    deps.metrics.upgrades.inc({ result: refusal.reason });
    refuse(socket, upgrade.request, refusal);
  }

  return {
    pending: () => pending,
    handle(request, socket, head, from) {
      // Until ws takes the socket over, its errors are ours: a charger that gives up must not end the process.
      const onError = (): void => void socket.destroy();
      socket.on('error', onError);
      const reason = whyNotNow(deps, { pending, undecided });
      if (reason !== undefined) {
        deps.metrics.upgrades.inc({ result: reason });
        refuse(socket, request, { status: 503, reason });
        return;
      }
      pending += 1;
      handle({ request, socket, head }, from)
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

/** Why nobody is taken just now, whoever it is. Who is being admitted needs room too, or a storm would bring more than there is. */
function whyNotNow(deps: UpgradeDeps, upgrades: { pending: number; undecided: number }): string | undefined {
  if (!deps.broker.ready()) return 'broker_away';
  if (!deps.accepting()) return 'stopping';
  if (upgrades.pending >= MOST_PENDING) return 'too_many_at_once';
  return deps.openConnections() + upgrades.undecided >= deps.maxConnections ? 'full' : undefined;
}

interface Tools extends UpgradeDeps {
  readonly turn: Turns;
  readonly guesses: Guesses;
}

/** Calls `accept` or gives the reason for refusing. */
async function admitted(
  deps: Tools,
  request: IncomingMessage,
  from: UpgradeConnection,
  accept: (admitted: Admitted | 'without_subprotocol') => void,
): Promise<Refusal | undefined> {
  const identity = readIdentity(request.url ?? '', deps);
  if (!identity.ok) return { status: identity.status, reason: 'no_identity' };
  const { chargerId } = identity;
  const choice = chooseSubprotocol(request.headers['sec-websocket-protocol'], deps.versions);
  const connectionId = createId();
  const { answer, ocppVersion } = await judge(deps, request, from, { chargerId, connectionId, choice });
  if (answer.outcome === 'refused') return answer.refusal;
  if (answer.outcome !== 'accept') return REFUSALS[answer.outcome];
  if (answer.partitions !== deps.partitions) return wrongPartitions(deps, answer.partitions);
  const version = versionOf(choice, deps, answer.compatibility.assumeOcpp16);
  const who = { chargerId, connectionId, ocppVersion, strayed: identity.deviations };
  accept(version === undefined ? 'without_subprotocol' : admittedAs(version, who, answer, from));
  return undefined;
}

interface Candidate {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly choice: ReturnType<typeof chooseSubprotocol>;
}

type Judgement = AdmissionAnswer | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** charger-state's word, after what slows guessing had its own. */
async function judge(
  deps: Tools,
  request: IncomingMessage,
  from: UpgradeConnection,
  { chargerId, connectionId, choice }: Candidate,
): Promise<{ readonly answer: Judgement; readonly ocppVersion: string | null }> {
  const credentials = readCredentials(request.headers.authorization);
  const isOwn = credentials.kind === 'basic' && isSameIdentity(credentials.username, chargerId);
  const ocppVersion = choice.kind === 'chosen' ? choice.version : null;
  const question: AdmissionRequest = {
    ...{ chargerId, connectionId, gatewayId: deps.gatewayId(), secure: from.secure, ocppVersion },
    ...certificateOf(deps, chargerId, from),
    // Another's password is nothing to be looked at (rule 12).
    ...(isOwn ? { passwordBase64: credentials.password.toString('base64') } : {}),
  };
  if (credentials.kind === 'none') {
    return { answer: unforgiven(deps, await ask(deps, request, question)), ocppVersion };
  }
  const attempt = deps.guesses.attempt(chargerId, from.address);
  if (attempt.waitMs > 0) return { answer: tooManyAttempts(attempt.waitMs), ocppVersion };
  const answer = unforgiven(
    deps,
    await ask(deps, request, attempt.suspect ? { ...question, suspect: true } : question),
  );
  const judged: Judgement = !isOwn && wasJudged(answer) ? { outcome: 'unauthorized' } : answer;
  attempt.ended(endOf(judged));
  return { answer: judged, ocppVersion };
}

function certificateOf(
  { logger }: Tools,
  chargerId: string,
  { certificate, address }: UpgradeConnection,
): Pick<AdmissionRequest, 'certificateNames'> {
  if (certificate.kind === 'trusted') return { certificateNames: certificate.names };
  if (certificate.kind === 'untrusted') {
    const { reason } = certificate;
    logger.info({ chargerId, peer: address, reason }, 'a charger showed a certificate that is not trusted');
  }
  return {};
}

/** Whether the answer is about this charger and this attempt, and not about one that does not exist or was not looked at. */
function wasJudged({ outcome }: Judgement): boolean {
  return outcome !== 'unknown' && outcome !== 'busy' && outcome !== 'unavailable' && outcome !== 'refused';
}

function endOf({ outcome }: Judgement): Parameters<Attempt['ended']>[0] {
  if (outcome === 'accept') return 'right';
  return outcome === 'unauthorized' ? 'wrong' : 'neither';
}

function tooManyAttempts(waitMs: number): Judgement {
  return { outcome: 'refused', refusal: { status: 429, reason: 'too_many_attempts', retryAfterMs: waitMs } };
}

interface Who extends Pick<AdmissionRequest, 'chargerId' | 'connectionId' | 'ocppVersion'> {
  /** What of the request itself was put up with. */
  readonly strayed: readonly string[];
}

function admittedAs(
  version: string,
  { chargerId, connectionId, ocppVersion, strayed }: Who,
  acceptance: Admitted['acceptance'],
  { address }: UpgradeConnection,
): Admitted {
  const offered = ocppVersion !== null;
  const deviations = [...acceptance.deviations, ...strayed, ...(offered ? [] : ['no_subprotocol'])];
  return { chargerId, connectionId, version, offered, acceptance, deviations, peer: address ?? '' };
}

/** charger-state's word, asked for when the upgrade's turn comes. */
async function ask(deps: Tools, request: IncomingMessage, question: AdmissionRequest): Promise<Judgement> {
  const result = await deps.turn.take(
    () => deps.broker.request(channels.admissions, '', question, ADMISSION_MS),
    () => !request.socket.destroyed,
  );
  if (result?.outcome === 'answered') return result.answer;
  const reason = result === undefined ? 'too_many_at_once' : 'charger_state_away';
  return { outcome: 'refused', refusal: { status: 503, reason } };
}

/** A strict listener does not accept a key that is right only in a form that is put up with (rule 9). */
function unforgiven({ strict }: UpgradeDeps, answer: Judgement): Judgement {
  return strict && answer.outcome === 'accept' && answer.deviations.length > 0 ? { outcome: 'unauthorized' } : answer;
}

const REFUSALS = {
  unknown: { status: 404, reason: 'unknown_charger' },
  unauthorized: { status: 401, reason: 'unauthorized' },
  insecure: { status: 403, reason: 'insecure' },
  certificate_required: { status: 403, reason: 'certificate_required' },
  too_many_connections: { status: 429, reason: 'too_many_connections', retryAfterMs: 60_000 },
  busy: { status: 503, reason: 'too_many_at_once' },
  unavailable: { status: 503, reason: 'store_away' },
} as const satisfies Record<string, Refusal>;

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

function open(deps: UpgradeDeps, upgrade: Upgrade, admitted: Admitted | 'without_subprotocol'): void {
  if (admitted === 'without_subprotocol') {
    openWebsocket(deps.server, upgrade, undefined, (websocket) => {
      // OCPP-J 1.6, 3.1.2: complete the handshake without a subprotocol, then close at once (rules 2 and 3).
      deps.metrics.upgrades.inc({ result: 'no_subprotocol' });
      websocket.on('error', () => websocket.terminate());
      websocket.close(1002, 'no common subprotocol');
    });
    return;
  }
  openWebsocket(deps.server, upgrade, admitted.offered ? admitted.version : undefined, (websocket) => {
    deps.metrics.upgrades.inc({ result: 'accepted' });
    deps.onOpen(websocket, admitted);
  });
}

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
