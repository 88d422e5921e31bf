// Logs and reports rejected connection attempts. The first attempt of a series has one info line and one record. All
// attempts of each further minute have one more of each. A series has one network, one reason and one charger. Above a
// network's share of unchecked attempts, it has all chargers of the network. An attacker chooses the identity, so
// everything is bounded, and each network has a share.
import type { IncomingMessage } from 'node:http';
import { explainRejection, type ConnectionAttempt } from '@busbar/contracts';
import { createIdSource, createTicker, type Clock, type Logger } from '@busbar/core';
import { createRateLimiter, networkOf, requestIdFrom, splitTarget, type UpgradeConnection } from '@busbar/http';
import { createFairMap, type Origin } from './fair-map';
import { isSameIdentity, readCredentials, readIdentity, readSubprotocols } from './handshake';

export interface RejectedAttempt {
  readonly request: Pick<IncomingMessage, 'url' | 'headers'>;
  readonly from: Pick<UpgradeConnection, 'address'>;
  readonly reason: string;
  /** Charger-state knows the identity or not. Absent where it did not check the attempt. */
  readonly charger?: 'known' | 'unknown';
  /** The response's request id. Absent where the handshake was completed: the charger's own, or a new one. */
  readonly requestId?: string;
}

export type RejectedAttempts = ReturnType<typeof createRejectedAttempts>;

export interface RejectedAttemptsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly report: (attempt: ConnectionAttempt, origin: Origin) => void;
}

const MINUTE_MS = 60_000;
const SWEEP_MS = 5_000;
/** Series that are remembered. */
const SERIES = { maxEntries: 10_000, maxPerNetwork: 1_000 } as const;
/** Log lines about known chargers, and as many about all others, whose identities an attacker may invent. */
const LINES = { perSecond: 5, burst: 250 } as const;
/** A tenth of all lines. */
const LINES_PER_NETWORK = { perSecond: 1, burst: 50 } as const;
/** New series for chargers of one network whose attempts charger-state did not check. */
const UNCHECKED_PER_NETWORK = LINES_PER_NETWORK;
/** Every identity that can be registered is shorter. */
const MAX_ID_CHARACTERS = 64;
const MAX_PATH_CHARACTERS = 100;
const MAX_PROTOCOLS = 10;
const MAX_PROTOCOL_CHARACTERS = 40;

/** The kind of credentials that an unauthorized charger sent. */
type SentCredentials = 'none' | 'malformed' | 'of another user' | 'wrong password';

interface Details {
  readonly attempt: Omit<ConnectionAttempt, 'id' | 'count'>;
  /** For the log alone. */
  readonly more: { readonly path?: string; readonly credentials?: SentCredentials };
}

interface SeriesOf {
  readonly charger: RejectedAttempt['charger'] | undefined;
  readonly network: string;
}

interface Series {
  readonly origin: Origin;
  reportedMs: number;
  /** Attempts since the last report. */
  count: number;
  last: Details | undefined;
}

export function createRejectedAttempts({ clock, logger, strict, report }: RejectedAttemptsDeps) {
  // Ordered by the last report.
  const all = createFairMap<Series>(SERIES);
  const nextId = createIdSource();
  const limiter = createRateLimiter(LINES, clock);
  const networkLimiter = createRateLimiter(LINES_PER_NETWORK, clock);
  const uncheckedLimiter = createRateLimiter(UNCHECKED_PER_NETWORK, clock);
  let omitted = 0;
  const ticker = createTicker(clock, SWEEP_MS, sweep);

  function mayLog({ network, isKnown }: Origin): boolean {
    return networkLimiter.take(network).isAllowed && limiter.take(isKnown ? 'known' : 'unknown').isAllowed;
  }

  function emit({ attempt, more }: Details, count: number, origin: Origin): void {
    report({ id: nextId(clock.now().getTime()), ...attempt, count }, origin);
    if (!mayLog(origin)) {
      omitted += 1;
      return;
    }
    const explanation = explainRejection(attempt.reason);
    const explained = explanation === undefined ? attempt : { ...attempt, explanation };
    logger.info({ ...explained, ...more, count }, 'a connection attempt was rejected');
  }

  function flush({ last, count, origin }: Series): void {
    if (last !== undefined && count > 0) emit(last, count, origin);
  }

  function begin(key: string, origin: Origin): void {
    const evicted = all.add(key, { origin, reportedMs: clock.monotonicMs(), count: 0, last: undefined }, origin);
    if (evicted !== undefined) flush(evicted);
  }

  /** Without the charger where an attacker may have invented it and the share of its network is used up. */
  function keyOf(group: string, chargerId: string | null, { charger, network }: SeriesOf): string {
    const key = `${group} ${chargerId ?? ''}`;
    const isNamed = charger !== undefined || all.get(key) !== undefined || uncheckedLimiter.take(network).isAllowed;
    return isNamed ? key : group;
  }

  function sweep(): void {
    const nowMs = clock.monotonicMs();
    for (const [key, series] of all.entries()) {
      if (nowMs - series.reportedMs < MINUTE_MS) break;
      all.delete(key);
      if (series.count === 0) continue;
      flush(series);
      begin(key, series.origin);
    }
    if (omitted === 0) return;
    logger.info({ omitted }, 'further rejected connection attempts were not logged');
    omitted = 0;
  }

  return {
    rejected(attempt: RejectedAttempt): void {
      const details = detailsOf(attempt, { strict, at: clock.now().toISOString() });
      const { charger, from, reason } = attempt;
      const network = from.address === undefined ? '' : networkOf(from.address);
      const key = keyOf(`${network} ${reason} ${charger ?? ''}`, details.attempt.chargerId, { charger, network });
      const series = all.get(key);
      if (series !== undefined) {
        series.count += 1;
        series.last = merge(series.last, details);
        return;
      }
      const origin = { network, isKnown: charger === 'known' };
      begin(key, origin);
      emit(details, 1, origin);
    },
    start: ticker.start,
    /** Reports what has not been reported yet. */
    stop(): void {
      ticker.stop();
      for (const [key, series] of all.entries()) {
        all.delete(key);
        flush(series);
      }
    },
  };
}

/** The later attempt; it names no charger where earlier ones named another. */
function merge(before: Details | undefined, next: Details): Details {
  if (before === undefined || before.attempt.chargerId === next.attempt.chargerId) return next;
  return { ...next, attempt: { ...next.attempt, chargerId: null } };
}

function detailsOf(
  { request: { url = '', headers }, from, reason, ...given }: RejectedAttempt,
  { strict, at }: { readonly strict: boolean; readonly at: string },
): Details {
  const identity = readIdentity(url, { strict });
  const protocols = readSubprotocols(headers['sec-websocket-protocol'])
    .slice(0, MAX_PROTOCOLS)
    .map((name) => printable(name, MAX_PROTOCOL_CHARACTERS));
  const requestId = given.requestId ?? requestIdFrom(headers['x-request-id']);
  const attempt = { chargerId: null, remoteAddress: from.address ?? null, reason, protocols, requestId, at };
  if (!identity.ok) {
    // The query is not logged: some chargers send their password in it.
    return { attempt, more: { path: printable(splitTarget(url).path, MAX_PATH_CHARACTERS) } };
  }
  const { chargerId } = identity;
  return {
    attempt: { ...attempt, chargerId: printable(chargerId, MAX_ID_CHARACTERS) },
    more: reason === 'unauthorized' ? { credentials: sentCredentials(headers.authorization, chargerId) } : {},
  };
}

function sentCredentials(header: string | undefined, chargerId: string): SentCredentials {
  const credentials = readCredentials(header);
  if (credentials.kind === 'none') return 'none';
  if (credentials.kind === 'invalid') return 'malformed';
  return isSameIdentity(credentials.username, chargerId) ? 'wrong password' : 'of another user';
}

/** At most so many characters, without control characters. A cut or escaped text is no valid identity. */
function printable(text: string, maxCharacters: number): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return cut.replace(/[^\x20-\x7e…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
