// Which chargers were not let in, and why: one info line, and one record for charger-state, for the first attempt of a
// charger with a reason and for those of each minute after it. A stranger chooses the identity, so all of it is bounded.
import type { IncomingMessage } from 'node:http';
import type { ConnectionAttempt } from '@busbar/contracts';
import { createIdSource, type Clock, type Logger, type Timer } from '@busbar/core';
import { createRateLimiter, requestIdFrom, splitTarget, type UpgradeConnection } from '@busbar/http';
import { readIdentity, readSubprotocols } from './handshake';

export interface RejectedAttempt {
  readonly request: Pick<IncomingMessage, 'url' | 'headers'>;
  readonly from: Pick<UpgradeConnection, 'address'>;
  readonly reason: string;
  /** That of the response; absent where a handshake was completed: the charger's own, or a new one. */
  readonly requestId?: string;
}

export interface RejectedAttempts {
  rejected(attempt: RejectedAttempt): void;
  start(): void;
  /** Reports what has not been reported yet. */
  stop(): void;
}

export interface RejectedAttemptsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly report: (attempt: ConnectionAttempt) => void;
}

const MINUTE_MS = 60_000;
const SWEEP_MS = 5_000;
/** Pairs of a charger and a reason; the one reported longest ago is evicted for another. */
const MAX_PAIRS = 10_000;
/** Lines in the log, whoever they are about: identities that a stranger invents are each the first of theirs. */
const LINES = { perSecond: 10, burst: 500 } as const;
/** No identity that can be registered is as long. */
const MAX_ID_CHARACTERS = 64;
const MAX_PATH_CHARACTERS = 100;
const MAX_PROTOCOLS = 10;
const MAX_PROTOCOL_CHARACTERS = 40;

type Details = Omit<ConnectionAttempt, 'id' | 'count'> & { readonly path?: string };

interface Pair {
  reportedMs: number;
  /** Since it was reported. */
  count: number;
  last: Details | undefined;
}

export function createRejectedAttempts({ clock, logger, strict, report }: RejectedAttemptsDeps): RejectedAttempts {
  // In the order of the last report: a Map keeps the order of insertion.
  const pairs = new Map<string, Pair>();
  const nextId = createIdSource();
  const limiter = createRateLimiter(LINES, clock);
  let omitted = 0;
  let timer: Timer | undefined;

  function emit({ path, ...details }: Details, count: number): void {
    report({ id: nextId(clock.now().getTime()), ...details, count });
    if (!limiter.take('lines').isAllowed) {
      omitted += 1;
      return;
    }
    const fields = path === undefined ? details : { ...details, path };
    logger.info({ ...fields, count }, 'a connection attempt was rejected');
  }

  function flush({ last, count }: Pair): void {
    if (last !== undefined && count > 0) emit(last, count);
  }

  function evictOldest(): void {
    const [oldest] = pairs;
    if (oldest === undefined) return;
    pairs.delete(oldest[0]);
    flush(oldest[1]);
  }

  function sweep(): void {
    const nowMs = clock.monotonicMs();
    for (const [key, pair] of pairs) {
      if (nowMs - pair.reportedMs < MINUTE_MS) break;
      pairs.delete(key);
      if (pair.count === 0) continue;
      flush(pair);
      pairs.set(key, { reportedMs: nowMs, count: 0, last: undefined });
    }
    if (omitted === 0) return;
    logger.info({ omitted }, 'more connection attempts were rejected than are logged one by one');
    omitted = 0;
  }

  return {
    rejected(attempt) {
      const details = detailsOf(attempt, { strict, at: clock.now().toISOString() });
      const key = `${details.reason} ${details.chargerId ?? ''}`;
      const pair = pairs.get(key);
      if (pair !== undefined) {
        pair.count += 1;
        pair.last = details;
        return;
      }
      if (pairs.size >= MAX_PAIRS) evictOldest();
      pairs.set(key, { reportedMs: clock.monotonicMs(), count: 0, last: undefined });
      emit(details, 1);
    },
    start() {
      timer ??= clock.every(SWEEP_MS, sweep);
    },
    stop() {
      timer?.cancel();
      timer = undefined;
      for (const pair of pairs.values()) flush(pair);
      pairs.clear();
    },
  };
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
  const common = { remoteAddress: from.address ?? null, reason, protocols, requestId, at };
  if (identity.ok) return { chargerId: printable(identity.chargerId, MAX_ID_CHARACTERS), ...common };
  // What came as the query stays out of the log: some chargers put their password there.
  return { chargerId: null, ...common, path: printable(splitTarget(url).path, MAX_PATH_CHARACTERS) };
}

/** At most so many characters, and none that a terminal would act on; what is cut or escaped is no identity any more. */
function printable(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replace(/[^\x20-\x7e…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
