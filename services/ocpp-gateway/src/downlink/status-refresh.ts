// Remembers the sockets whose status report was refused during an outage, by charger. Their status is requested again
// afterwards, also on the charger's next connection here: nothing else would make it report the status again.
import { createId, type Clock, type Logger } from '@busbar/core';
import { ALL_SOCKETS, type Protocol } from '@busbar/ocpp';
import { LRUCache } from 'lru-cache';
import type { Connection } from '../connection/connection';
import type { Registry } from '../connection/registry';
import type { ReportPublisher } from '../connection/report-publisher';
import { callCharger } from './commands';

export interface StatusRefreshDeps {
  readonly publisher: Pick<ReportPublisher, 'publish'>;
  readonly registry: Pick<Registry, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Beyond so many chargers, the one whose last refusal is oldest is evicted. */
  readonly maxChargers: number;
}

interface Entry {
  readonly incarnationId: string;
  readonly sockets: Set<number>;
  readonly sinceMs: number;
  readonly attempts: number;
  /** The connection that gets the next request, and when. */
  connectionId: string;
  dueMs: number;
}

/** Chargers asked in each run: their reports are a load of their own. */
const MAX_REQUESTS_PER_RUN = 500;
const REQUEST_TIMEOUT_MS = 30_000;
/** A charger that has just connected, perhaps after a boot, reports most by itself. A busy charger gets the same time. */
const GRACE_MS = 10_000;
const EXPIRES_MS = 24 * 3_600_000;
/** A charger that disconnects at each request is not asked for ever. */
const MAX_ATTEMPTS = 3;
/**
 * A charger with more refused sockets is asked for all of them in one request. Where the version has no such request it is asked for so
 * many at a time: others may send it commands meanwhile.
 */
const MAX_SOCKETS = 8;
/** Further sockets are not asked for. */
const MAX_NAMED_SOCKETS = 99;

export function createStatusRefresh(deps: StatusRefreshDeps) {
  const { publisher, registry, clock, logger } = deps;
  let evicted = 0;
  /** By charger id. Only `peek` reads it, so it evicts by the last refusal. */
  const entries = new LRUCache<string, Entry>({
    max: deps.maxChargers,
    dispose: (_entry, _chargerId, reason) => void (evicted += reason === 'evict' ? 1 : 0),
  });

  function add({ chargerId, protocol }: Connection, entry: Entry): void {
    const before = entries.peek(chargerId);
    if (before?.incarnationId === entry.incarnationId) {
      for (const socket of before.sockets) entry.sockets.add(socket);
    }
    limit(entry.sockets, protocol);
    entries.set(chargerId, entry);
  }

  function request(connection: Connection, entry: Entry): void {
    const { chargerId, protocol } = connection;
    const sockets = requestedSockets(entry.sockets, protocol);
    const others = new Set(sockets.slice(MAX_SOCKETS));
    if (others.size > 0) add(connection, { ...entry, sockets: others, dueMs: clock.monotonicMs() + GRACE_MS });
    for (const socket of sockets.slice(0, MAX_SOCKETS)) {
      const refresh = protocol.refreshCall(socket);
      if (refresh === undefined) continue;
      const call = { ...refresh, commandId: createId(), timeoutMs: REQUEST_TIMEOUT_MS };
      callCharger({ publisher }, connection, call, ({ outcome }) => {
        logger.debug({ chargerId, socket, outcome }, 'requested a status again');
        // The charger did not receive the request, so it may be retried.
        if (outcome !== 'disconnected' && outcome !== 'busy') return;
        // A busy one, which is no attempt, had enough calls that waited.
        const attempts = entry.attempts + (outcome === 'disconnected' ? 1 : 0);
        if (attempts >= MAX_ATTEMPTS) return;
        const dueMs = clock.monotonicMs() + GRACE_MS;
        add(connection, { ...entry, sockets: new Set([socket]), attempts, dueMs });
      });
    }
  }

  return {
    /** A status report of these sockets was refused. */
    refused(connection: Connection, reported: readonly number[]): void {
      const { protocol, connectionId, incarnationId } = connection;
      const sockets = new Set(reported.filter((socket) => protocol.refreshCall(socket) !== undefined));
      if (sockets.size === 0) return;
      const now = clock.monotonicMs();
      add(connection, { incarnationId, sockets, sinceMs: now, attempts: 0, connectionId, dueMs: now });
    },
    /** A later one was accepted: the sockets need no refresh any more. */
    accepted({ chargerId }: Connection, reported: readonly number[]): void {
      const entry = reported.length === 0 ? undefined : entries.peek(chargerId);
      if (entry === undefined) return;
      for (const socket of reported) entry.sockets.delete(socket);
      if (entry.sockets.size === 0) entries.delete(chargerId);
    },
    /** Requests the status from connected chargers, at most `MAX_REQUESTS_PER_RUN` in each run. */
    run(): void {
      const now = clock.monotonicMs();
      let requested = 0;
      for (const chargerId of [...entries.rkeys()]) {
        if (requested === MAX_REQUESTS_PER_RUN) return;
        const connection = registry.get(chargerId);
        const entry = entries.peek(chargerId);
        if (entry === undefined || connection === undefined || connection.closed) continue;
        if (connection.connectionId !== entry.connectionId) {
          entry.connectionId = connection.connectionId;
          entry.dueMs = now + GRACE_MS;
        }
        if (now < entry.dueMs) continue;
        entries.delete(chargerId);
        // Another charger has the id now: nothing of it was refused.
        if (connection.incarnationId !== entry.incarnationId) continue;
        requested += 1;
        request(connection, entry);
      }
    },
    /** Drops expired entries, and logs how many were evicted. */
    purge(): void {
      const expiredMs = clock.monotonicMs() - EXPIRES_MS;
      for (const [chargerId, { sinceMs }] of [...entries.entries()]) {
        if (sinceMs <= expiredMs) entries.delete(chargerId);
      }
      if (evicted === 0) return;
      logger.warn({ chargers: evicted }, 'too many chargers had a status refused; the oldest are not asked again');
      evicted = 0;
    },
  };
}

/** The charger's own status can be requested only together with those of all sockets. */
function requestedSockets(sockets: ReadonlySet<number>, protocol: Protocol): readonly number[] {
  const each = [...sockets];
  return hasRequestForAll(protocol) && each.some((socket) => socket <= 0) ? [ALL_SOCKETS] : each;
}

function limit(sockets: Set<number>, protocol: Protocol): void {
  if (!hasRequestForAll(protocol)) {
    for (const socket of [...sockets].slice(MAX_NAMED_SOCKETS)) sockets.delete(socket);
  } else if (sockets.size > MAX_SOCKETS) {
    sockets.clear();
    sockets.add(ALL_SOCKETS);
  }
}

/** OCPP 2.x asks for one connector (rule 124). */
function hasRequestForAll({ refreshCall }: Protocol): boolean {
  return refreshCall(ALL_SOCKETS) !== undefined;
}
