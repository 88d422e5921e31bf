// The statuses that were refused in an outage, by charger and connector: what they said is asked for by TriggerMessage once
// all is back. A charger whose socket ended meanwhile is asked on its next one here: nothing else would have it say it again.
import { createId, type Clock, type Logger } from '@busbar/core';
import type { Connection } from '../connection/connection';
import { callCharger } from './commands';
import type { Publisher } from '../uplink/publisher';
import type { Registry } from '../connection/registry';

export interface RefusedStatuses {
  /** The payload of the StatusNotification that was refused. */
  refused(connection: Connection, payload: unknown): void;
  /** A status that came later was taken: the refused one of its connector is of no use any more. */
  taken(connection: Connection, payload: unknown): void;
  /** Asks those that are here, so many at a time. */
  ask(): void;
  /** Drops what is too old to be asked for, and says what was dropped for want of room. */
  tidy(): void;
}

export interface RefusedStatusesDeps {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly registry: Pick<Registry, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Chargers that are remembered; beyond it the one that was refused longest ago is forgotten. */
  readonly maxChargers: number;
}

interface Entry {
  readonly incarnationId: string;
  readonly connectors: Set<number>;
  readonly sinceMs: number;
  readonly attempts: number;
  /** The connection that is asked next, and when. */
  connectionId: string;
  dueMs: number;
}

/** Chargers asked at each look: their answers are a load of their own. */
const REFRESH_CONCURRENCY = 500;
const TRIGGER_TIMEOUT_MS = 30_000;
/** A charger that connects anew, perhaps after a boot, tells most by itself; one that was busy gets the same time. */
const GRACE_MS = 10_000;
const REMEMBERED_MS = 24 * 3_600_000;
/** One whose socket ends at each question is not asked for ever. */
const MAX_REFRESHES = 3;
/** A charger with more of them is asked for all at once. */
const MAX_CONNECTORS = 8;
/** Stands for all connectors. */
const WHOLE = -1;

export function createRefusedStatuses(deps: RefusedStatusesDeps): RefusedStatuses {
  const { publisher, registry, clock, logger } = deps;
  /** By charger id, the one that was refused longest ago first. */
  const entries = new Map<string, Entry>();
  let evicted = 0;

  /** Last in the row, with what was refused before. */
  function remember(chargerId: string, entry: Entry): void {
    const before = entries.get(chargerId);
    entries.delete(chargerId);
    if (before?.incarnationId === entry.incarnationId) {
      for (const connector of before.connectors) entry.connectors.add(connector);
    }
    if (entry.connectors.size > MAX_CONNECTORS) {
      entry.connectors.clear();
      entry.connectors.add(WHOLE);
    }
    entries.set(chargerId, entry);
    const [oldest] = entries.keys();
    if (entries.size <= deps.maxChargers || oldest === undefined) return;
    entries.delete(oldest);
    evicted += 1;
  }

  function refreshStatus(connection: Connection, entry: Entry): void {
    const { chargerId } = connection;
    for (const connector of refreshed(entry.connectors)) {
      const payload = { requestedMessage: 'StatusNotification', ...(connector > 0 ? { connectorId: connector } : {}) };
      const call = { commandId: createId(), action: 'TriggerMessage', payload, timeoutMs: TRIGGER_TIMEOUT_MS };
      callCharger(publisher, connection, call, ({ outcome }) => {
        logger.debug({ chargerId, connector, outcome }, 'asked for a status again');
        // It was not heard, so it may be asked once more.
        if ((outcome !== 'disconnected' && outcome !== 'busy') || entry.attempts + 1 >= MAX_REFRESHES) return;
        const dueMs = clock.monotonicMs() + GRACE_MS;
        remember(chargerId, { ...entry, connectors: new Set([connector]), attempts: entry.attempts + 1, dueMs });
      });
    }
  }

  return {
    refused({ chargerId, connectionId, incarnationId }, payload) {
      const now = clock.monotonicMs();
      const connectors = new Set([connectorOf(payload)]);
      remember(chargerId, { incarnationId, connectors, sinceMs: now, attempts: 0, connectionId, dueMs: now });
    },
    taken({ chargerId }, payload) {
      const entry = entries.get(chargerId);
      if (entry === undefined) return;
      entry.connectors.delete(connectorOf(payload));
      if (entry.connectors.size === 0) entries.delete(chargerId);
    },
    ask() {
      const now = clock.monotonicMs();
      let asked = 0;
      for (const [chargerId, entry] of entries) {
        if (asked === REFRESH_CONCURRENCY) return;
        const connection = registry.get(chargerId);
        if (connection === undefined || connection.closed) continue;
        if (connection.connectionId !== entry.connectionId) {
          entry.connectionId = connection.connectionId;
          entry.dueMs = now + GRACE_MS;
        }
        if (now < entry.dueMs) continue;
        entries.delete(chargerId);
        // Another charger has the id now: nothing of it was refused.
        if (connection.incarnationId !== entry.incarnationId) continue;
        asked += 1;
        refreshStatus(connection, entry);
      }
    },
    tidy() {
      const tooOldMs = clock.monotonicMs() - REMEMBERED_MS;
      for (const [chargerId, { sinceMs }] of entries) if (sinceMs <= tooOldMs) entries.delete(chargerId);
      if (evicted === 0) return;
      logger.warn({ chargers: evicted }, 'too many chargers had a status refused; these are not asked for it again');
      evicted = 0;
    },
  };
}

/** No charger may be asked for connector 0 alone. */
function refreshed(connectors: ReadonlySet<number>): readonly number[] {
  const each = [...connectors];
  return each.some((connector) => connector <= 0) ? [WHOLE] : each;
}

function connectorOf(payload: unknown): number {
  if (typeof payload !== 'object' || payload === null || !('connectorId' in payload)) return WHOLE;
  const { connectorId } = payload;
  return typeof connectorId === 'number' && Number.isInteger(connectorId) && connectorId >= 0 ? connectorId : WHOLE;
}
