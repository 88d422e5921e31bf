// From an HTTP upgrade request to an open connection, or to the response that rejects it.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AdmissionRequest, Compatibility } from '@busbar/contracts';
import { createId, delay } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import { allowedVersions, allowsIdentity, requiresSecurity, UNNAMED_VERSION } from '@busbar/ocpp';
import { chooseSubprotocol, narrowChoice, readIdentity, type SubprotocolChoice } from './handshake';
import { createJudge, type AdmissionLimits, type Judge, type JudgeDeps } from './judge-upgrade';
import { openAdmitted, type Admitted, type OpeningDeps } from './open-admitted';
import type { Upgrade } from '../connection/open-websocket';
import type { Rejection } from './rejection';
import { rejectUpgrade } from './reject-upgrade';

export interface UpgradeDeps extends OpeningDeps, Omit<JudgeDeps, 'admissionLimits'> {
  readonly versions: readonly string[];
  readonly maxConnections: number;
  readonly partitions: number;
  readonly admissionLimits?: Partial<AdmissionLimits>;
  readonly openConnections: () => number;
  readonly accepting: () => boolean;
}

/** Upgrades in progress, whatever they wait for; further ones get 503. */
const MAX_PENDING = 20_000;
/**
 * A reconnect storm is admitted as fast as charger-state can, this many at a time. It clears a queue of 10,000 within seconds;
 * an upgrade that waits longer than chargers do gets 503.
 */
const ADMISSION_LIMITS: AdmissionLimits = { concurrency: 200, maxQueue: 10_000, maxWaitMs: 15_000 };
/**
 * When a rejection is answered, counted from the request. It slows brute force, and the time does not reveal whether the charger
 * exists and its password was checked.
 */
const REJECTED_AFTER_MS = 1_000;

/** Answers upgrades on `/ocpp/{chargerId}`. */
export function createUpgradeHandler(deps: UpgradeDeps) {
  let pending = 0;
  /** Pending upgrades that may still become connections. */
  let undecided = 0;
  const judge = createJudge({ ...deps, admissionLimits: { ...ADMISSION_LIMITS, ...deps.admissionLimits } });

  async function handle(upgrade: Upgrade, from: UpgradeConnection): Promise<void> {
    const arrivedMs = deps.clock.monotonicMs();
    undecided += 1;
    const rejection = await admitted({ ...deps, judge }, upgrade.request, from, (accepted) => {
      if (upgrade.socket.destroyed) return;
      // The gateway may have stopped or lost its broker during the admission.
      if (deps.accepting()) openAdmitted(deps, upgrade, accepted, from);
      else
        rejectUpgrade(deps, upgrade, from, {
          status: 503,
          reason: deps.broker.ready() ? 'stopping' : 'broker_unavailable',
        });
    }).finally(() => (undecided -= 1));
    if (rejection === undefined) return;
    if (REVEALING.has(rejection)) {
      const leftMs = arrivedMs + REJECTED_AFTER_MS - deps.clock.monotonicMs();
      if (leftMs > 0) await delay(deps.clock, leftMs);
    }
    rejectUpgrade(deps, upgrade, from, rejection);
  }

  return {
    /** Upgrades that wait for admission. */
    pending: () => pending,
    handle(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeConnection): void {
      // Until ws owns the socket, its errors are handled here: a charger that gives up must not end the process.
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

/**
 * Returns why every upgrade is rejected at present. Undecided upgrades count as connections, or a storm would exceed
 * the limit.
 */
function unavailableReason(deps: UpgradeDeps, upgrades: { pending: number; undecided: number }): string | undefined {
  if (!deps.broker.ready()) return 'broker_unavailable';
  if (!deps.accepting()) return 'stopping';
  if (upgrades.pending >= MAX_PENDING) return 'too_many_upgrades';
  return deps.openConnections() + upgrades.undecided >= deps.maxConnections ? 'full' : undefined;
}

/** Calls `accept`, or returns the rejection. */
async function admitted(
  deps: UpgradeDeps & { readonly judge: Judge },
  request: IncomingMessage,
  from: UpgradeConnection,
  accept: (admitted: Admitted | 'without_subprotocol') => void,
): Promise<Rejection | undefined> {
  const identity = readIdentity(request.url ?? '', deps);
  if (!identity.ok) return { status: identity.status, reason: 'no_identity' };
  const { chargerId } = identity;
  const versions = deps.versions.filter((version) => allowsIdentity(version, chargerId));
  const choice = chooseSubprotocol(request.headers['sec-websocket-protocol'], versions);
  const connectionId = createId();
  const { answer, ocppVersion } = await deps.judge(request, from, { chargerId, connectionId, choice });
  if (answer.outcome === 'rejected') return answer.rejection;
  if (answer.outcome !== 'accept') return REJECTIONS[answer.outcome];
  if (answer.partitions !== deps.partitions) return wrongPartitions(deps, answer.partitions);
  const version = versionOf(choice, deps, answer.compatibility);
  const isInsecure = version !== undefined && requiresSecurity(version) && answer.securityProfile === 0;
  if (isInsecure && deps.strict) return REJECTIONS.unauthorized;
  const deviations = isInsecure ? [...identity.deviations, 'no_security'] : identity.deviations;
  const peer = { chargerId, connectionId, ocppVersion, deviations };
  accept(version === undefined ? 'without_subprotocol' : admittedAs(version, peer, answer, from));
  return undefined;
}

interface Peer extends Pick<AdmissionRequest, 'chargerId' | 'connectionId' | 'ocppVersion'> {
  /** Tolerated deviations of the request itself. */
  readonly deviations: readonly string[];
}

function admittedAs(
  version: string,
  { chargerId, connectionId, ocppVersion, deviations: own }: Peer,
  acceptance: Admitted['acceptance'],
  { address, certificate: shown }: UpgradeConnection,
): Admitted {
  const offered = ocppVersion !== null;
  const deviations = [...acceptance.deviations, ...own, ...(offered ? [] : ['no_subprotocol'])];
  const certificate = shown.kind === 'trusted' ? shown.identity : undefined;
  return { chargerId, connectionId, version, offered, acceptance, deviations, peer: address ?? '', certificate };
}

const REJECTIONS = {
  unknown: { status: 404, reason: 'unknown_charger', charger: 'unknown' },
  unauthorized: { status: 401, reason: 'unauthorized', charger: 'known' },
  insecure: { status: 403, reason: 'insecure', charger: 'known' },
  certificate_required: { status: 403, reason: 'certificate_required', charger: 'known' },
  too_many_connections: { status: 429, reason: 'too_many_connections', charger: 'known', retryAfterMs: 60_000 },
  busy: { status: 503, reason: 'too_many_upgrades' },
  unavailable: { status: 503, reason: 'store_unavailable' },
} as const satisfies Record<string, Rejection>;

/** Rejections that reveal something about an id. */
const REVEALING: ReadonlySet<Rejection> = new Set([
  REJECTIONS.unknown,
  REJECTIONS.unauthorized,
  REJECTIONS.insecure,
  REJECTIONS.certificate_required,
]);

function versionOf(
  offer: SubprotocolChoice,
  { strict, versions }: UpgradeDeps,
  { assumeOcpp16, ocppVersions }: Compatibility,
): string | undefined {
  const choice = narrowChoice(offer, ocppVersions);
  if (choice.kind === 'chosen') return choice.version;
  if (choice.kind === 'no_match' || strict || !assumeOcpp16) return undefined;
  return allowedVersions(versions, ocppVersions).find((version) => version === UNNAMED_VERSION);
}

function wrongPartitions(deps: UpgradeDeps, stored: number): Rejection {
  deps.logger.error(
    { stored, configured: deps.partitions },
    `PARTITIONS must be ${String(stored)}, the value that the store was made with; no charger is admitted until it is`,
  );
  return { status: 503, reason: 'wrong_partitions' };
}
