// From an HTTP upgrade request to an open connection, or to the answer that says why not.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Broker } from '@busbar/broker';
import type { AdmissionRequest } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import { chooseSubprotocol, readIdentity } from './handshake';
import { createJudge, type Judge } from './judge-upgrade';
import type { ThrottleLimits } from './login-throttle';
import { openAdmitted, type Admitted, type OpeningDeps } from './open-admitted';
import type { Upgrade } from '../connection/open-websocket';
import type { Refusal } from './refusal';
import { rejectUpgrade } from './reject-upgrade';
import type { TurnLimits } from './admission-limiter';

export interface UpgradeDeps extends OpeningDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly versions: readonly string[];
  readonly maxConnections: number;
  readonly partitions: number;
  /** Nothing is forgiven, whatever a charger's own switches say. */
  readonly strict: boolean;
  /** Of the admissions asked for at once and of those that wait. */
  readonly admissionLimits?: Partial<TurnLimits>;
  readonly throttleLimits?: ThrottleLimits;
  readonly gatewayId: () => string;
  readonly openConnections: () => number;
  readonly accepting: () => boolean;
}

export interface UpgradeHandler {
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeConnection): void;
  /** Upgrades that wait for admission. */
  pending(): number;
}

/** Upgrades under way at the same time, for whatever they wait; the next ones are told to come again. */
const MAX_PENDING = 20_000;
/**
 * A storm of reconnecting chargers is admitted as fast as charger-state can, this many at a time: a line of 10,000 is worked
 * off in some seconds, and what waits longer than a charger's patience is better told to come again.
 */
const ADMISSION_LIMITS: TurnLimits = { atOnce: 200, maxQueue: 10_000, maxWaitMs: 15_000 };
/**
 * When a rejection is answered, counted from the request: guessing becomes slow, which costs a charger nothing, and whether
 * there is such a charger does not show in the time that its password took to check.
 */
const REJECTED_AFTER_MS = 1_000;

/** Answers upgrades on `/ocpp/{chargerId}`. */
export function createUpgradeHandler(deps: UpgradeDeps): UpgradeHandler {
  let pending = 0;
  /** Of the pending ones those that may still come to be connections. */
  let undecided = 0;
  const judge = createJudge({ ...deps, admissionLimits: { ...ADMISSION_LIMITS, ...deps.admissionLimits } });

  async function handle(upgrade: Upgrade, from: UpgradeConnection): Promise<void> {
    const arrivedMs = deps.clock.monotonicMs();
    undecided += 1;
    const refusal = await admitted({ ...deps, judge }, upgrade.request, from, (accepted) => {
      if (upgrade.socket.destroyed) return;
      // Stopped, or without a broker, while charger-state was asked.
      if (deps.accepting()) openAdmitted(deps, upgrade, accepted, from);
      else
        rejectUpgrade(deps, upgrade, from, { status: 503, reason: deps.broker.ready() ? 'stopping' : 'broker_away' });
    }).finally(() => (undecided -= 1));
    if (refusal === undefined) return;
    if (REJECTIONS.has(refusal)) {
      const leftMs = arrivedMs + REJECTED_AFTER_MS - deps.clock.monotonicMs();
      if (leftMs > 0) await wait(deps.clock, leftMs);
    }
    rejectUpgrade(deps, upgrade, from, refusal);
  }

  return {
    pending: () => pending,
    handle(request, socket, head, from) {
      // Until ws takes the socket over, its errors are ours: a charger that gives up must not end the process.
      const onError = (): void => void socket.destroy();
      socket.on('error', onError);
      const reason = unavailableReason(deps, { pending, undecided });
      if (reason !== undefined) {
        rejectUpgrade(deps, { request, socket }, from, { status: 503, reason });
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
function unavailableReason(deps: UpgradeDeps, upgrades: { pending: number; undecided: number }): string | undefined {
  if (!deps.broker.ready()) return 'broker_away';
  if (!deps.accepting()) return 'stopping';
  if (upgrades.pending >= MAX_PENDING) return 'too_many_at_once';
  return deps.openConnections() + upgrades.undecided >= deps.maxConnections ? 'full' : undefined;
}

/** Calls `accept` or gives the reason for refusing. */
async function admitted(
  deps: UpgradeDeps & { readonly judge: Judge },
  request: IncomingMessage,
  from: UpgradeConnection,
  accept: (admitted: Admitted | 'without_subprotocol') => void,
): Promise<Refusal | undefined> {
  const identity = readIdentity(request.url ?? '', deps);
  if (!identity.ok) return { status: identity.status, reason: 'no_identity' };
  const { chargerId } = identity;
  const choice = chooseSubprotocol(request.headers['sec-websocket-protocol'], deps.versions);
  const connectionId = createId();
  const { answer, ocppVersion } = await deps.judge(request, from, { chargerId, connectionId, choice });
  if (answer.outcome === 'refused') return answer.refusal;
  if (answer.outcome !== 'accept') return REFUSALS[answer.outcome];
  if (answer.partitions !== deps.partitions) return wrongPartitions(deps, answer.partitions);
  const version = versionOf(choice, deps, answer.compatibility.assumeOcpp16);
  const peer = { chargerId, connectionId, ocppVersion, identityDeviations: identity.deviations };
  accept(version === undefined ? 'without_subprotocol' : admittedAs(version, peer, answer, from));
  return undefined;
}

interface Peer extends Pick<AdmissionRequest, 'chargerId' | 'connectionId' | 'ocppVersion'> {
  /** What of the request itself was put up with. */
  readonly identityDeviations: readonly string[];
}

function admittedAs(
  version: string,
  { chargerId, connectionId, ocppVersion, identityDeviations }: Peer,
  acceptance: Admitted['acceptance'],
  { address, certificate: shown }: UpgradeConnection,
): Admitted {
  const offered = ocppVersion !== null;
  const deviations = [...acceptance.deviations, ...identityDeviations, ...(offered ? [] : ['no_subprotocol'])];
  const certificate = shown.kind === 'trusted' ? shown.identity : undefined;
  return { chargerId, connectionId, version, offered, acceptance, deviations, peer: address ?? '', certificate };
}

const REFUSALS = {
  unknown: { status: 404, reason: 'unknown_charger', charger: 'unknown' },
  unauthorized: { status: 401, reason: 'unauthorized', charger: 'known' },
  insecure: { status: 403, reason: 'insecure', charger: 'known' },
  certificate_required: { status: 403, reason: 'certificate_required', charger: 'known' },
  too_many_connections: { status: 429, reason: 'too_many_connections', charger: 'known', retryAfterMs: 60_000 },
  busy: { status: 503, reason: 'too_many_at_once' },
  unavailable: { status: 503, reason: 'store_away' },
} as const satisfies Record<string, Refusal>;

/** Those that tell a stranger something about an id. */
const REJECTIONS: ReadonlySet<Refusal> = new Set([
  REFUSALS.unknown,
  REFUSALS.unauthorized,
  REFUSALS.insecure,
  REFUSALS.certificate_required,
]);

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

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
