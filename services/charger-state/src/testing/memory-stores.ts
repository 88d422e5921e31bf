// The stores of charger-state in memory, one call at a time, with the compare-and-set that its writes need. For the
// model test, which pauses replicas between two calls.
import type { ChargerChange, ReportRows, ReportStore } from '@busbar/domain/reports';
import { type Charger, type PresenceStore } from '@busbar/domain/chargers';
import type { AppendedEvent } from '@busbar/domain/feed';
import { type ClientReader } from '@busbar/domain/clients';
import { type StateChange } from '@busbar/domain/history';
import { type Session } from '@busbar/domain/sessions';
import { type TagClaim, type TagClaimStore } from '@busbar/domain/tags';
import { newCharger } from '@busbar/domain/testing';
import type { LookupSources } from '../pipeline/lookups';

const CREATED_AT = '2026-01-01T00:00:00.000Z';

/** An event without its time. */
type Unstamped = AppendedEvent extends infer Each ? (Each extends AppendedEvent ? Omit<Each, 'at'> : never) : never;

export interface MemoryStores {
  readonly reports: ReportStore;
  /** The first half of `reports.write`: whether a new session was there already. Then the second half must not follow. */
  writeRows(rows: ReportRows): boolean;
  /** Whether no record was changed since it was read. */
  areUnchanged(changes: readonly ChargerChange[]): boolean;
  /** The second half: by compare-and-set. */
  writeDocuments(changes: readonly ChargerChange[]): 'written' | 'conflict';
  readonly presence: PresenceStore;
  readonly clients: Pick<ClientReader, 'find' | 'list'>;
  readonly tags: LookupSources['tags'];
  readonly sessions: LookupSources['sessions'];
  readonly claims: TagClaimStore;
  readonly chargers: ReadonlyMap<string, Charger>;
  readonly stateChanges: ReadonlyMap<string, StateChange>;
  readonly logIds: ReadonlySet<string>;
  readonly startedSessions: ReadonlyMap<string, Session>;
  register(chargerId: string): void;
  /** Its owner changes the registration. */
  rename(chargerId: string): void;
  /** The chargers with events that other writers appended. */
  waiting(): readonly Charger[];
}

export function createMemoryStores(): MemoryStores {
  const chargers = new Map<string, Charger>();
  const stateChanges = new Map<string, StateChange>();
  const sessions = new Map<string, Session>();
  const logIds = new Set<string>();
  const orders = new Map<string, number>();
  const dead = new Map<string, string>();
  let transactionIds = 0;
  let appended = 0;

  function writeRows(rows: ReportRows): boolean {
    for (const row of rows.log) logIds.add(row.rowId);
    for (const row of rows.stateChanges) if (!stateChanges.has(row.rowId)) stateChanges.set(row.rowId, row);
    const clashes = rows.sessions.filter(({ sessionId }) => sessions.has(sessionId));
    for (const row of rows.sessions) if (!sessions.has(row.sessionId)) sessions.set(row.sessionId, row);
    changeSessions(sessions, rows);
    return clashes.length > 0;
  }

  const isChanged = ({ from }: ChargerChange): boolean => chargers.get(from.chargerId)?.revision !== from.revision;

  function writeDocuments(changes: readonly ChargerChange[]): 'written' | 'conflict' {
    const missed = changes.filter(isChanged);
    for (const change of changes) if (!missed.includes(change)) chargers.set(change.to.chargerId, change.to);
    return missed.length === 0 ? 'written' : 'conflict';
  }

  const reports: ReportStore = {
    commitsPages: false,
    loadDeviceState: () => Promise.resolve([]),
    loadDeviceModels: () => Promise.resolve([]),
    loadEventStreams: () => Promise.resolve([]),
    loadChargers: (ids) => Promise.resolve([...chargers.values()].filter(({ chargerId }) => ids.includes(chargerId))),
    write: (rows, changes) => Promise.resolve(writeRows(rows) ? 'conflict' : writeDocuments(changes)),
    takeTransactionIds(count) {
      transactionIds += count;
      return Promise.resolve(transactionIds - count + 1);
    },
    takeClientStarts: (_clientId, _day, { count }) => Promise.resolve(count),
    transactionIdsLeft: () => Promise.resolve(1_000_000_000 - transactionIds),
    nextOrder(chargerId, above) {
      const order = Math.max(orders.get(chargerId) ?? 0, above) + 1;
      orders.set(chargerId, order);
      return Promise.resolve(order);
    },
  };

  function change(charger: Charger, parts: Partial<Charger>, event: Unstamped): void {
    const id = String((appended += 1)).padStart(9, '0');
    const { others = {}, appended: count = 0, ...own } = charger.outbox ?? {};
    const stored = { ...event, at: CREATED_AT } as AppendedEvent;
    const outbox = { ...own, others: { ...others, [id]: stored }, appended: count + 1, waiting: CREATED_AT };
    chargers.set(charger.chargerId, { ...charger, ...parts, outbox, revision: charger.revision + 1 });
  }

  const presence: PresenceStore = {
    markDead: (gatewayId, at) => Promise.resolve(void dead.set(gatewayId, at)),
    isDead: (gatewayId) => Promise.resolve(dead.has(gatewayId)),
    listDead: () => Promise.resolve([...dead].map(([gatewayId, at]) => ({ gatewayId, state: 'dead' as const, at }))),
    disconnectAll(gatewayId) {
      const those = [...chargers.values()].filter(
        ({ connection }) => connection.active && connection.gatewayId === gatewayId,
      );
      for (const charger of those) {
        const connection = { ...charger.connection, active: false, since: null };
        change(charger, { connection }, { type: 'charger.disconnected', data: { reason: 'lapsed' } });
      }
      return Promise.resolve(those.length);
    },
    countActive() {
      const counts = new Map<string, number>();
      for (const { connection } of chargers.values()) {
        if (connection.active)
          counts.set(String(connection.gatewayId), (counts.get(String(connection.gatewayId)) ?? 0) + 1);
      }
      return Promise.resolve([...counts].map(([gatewayId, count]) => ({ gatewayId, chargers: count })));
    },
  };

  return {
    reports,
    writeRows,
    areUnchanged: (changes) => !changes.some(isChanged),
    writeDocuments,
    presence,
    chargers,
    stateChanges,
    logIds,
    startedSessions: sessions,
    clients: {
      // Any tag charges, so that tags can be in use.
      find: (clientId) => Promise.resolve({ clientId, name: '', openCharging: true, createdAt: CREATED_AT }),
      list: () => Promise.resolve([]),
    },
    tags: { findByKeys: () => Promise.resolve([]) },
    sessions: sessionsIn(sessions),
    claims: createMemoryClaims(),
    register: (chargerId) => void chargers.set(chargerId, newCharger({ chargerId })),
    rename(chargerId) {
      const charger = chargers.get(chargerId);
      if (charger) change(charger, {}, { type: 'charger.updated', data: { changed: ['name'] } });
    },
    waiting: () => [...chargers.values()].filter(({ outbox }) => outbox?.waiting !== undefined),
  };
}

function sessionsIn(sessions: ReadonlyMap<string, Session>): MemoryStores['sessions'] {
  const those = (wanted: (session: Session) => boolean) => Promise.resolve([...sessions.values()].filter(wanted));
  return {
    findByIds: (ids) => those(({ sessionId }) => ids.includes(sessionId)),
    findByTransactions: (ids) => those(({ transactionId }) => ids.includes(transactionId)),
    findByDeviceKeys: (keys) => those(({ device }) => device !== undefined && keys.includes(device.key)),
    findOngoingByTags: (clientId, keys) =>
      those(
        (session) => session.state === 'ongoing' && session.clientId === clientId && keys.includes(session.idTagKey),
      ),
  };
}

function changeSessions(sessions: Map<string, Session>, rows: ReportRows): void {
  const change = (sessionId: string, part: Partial<Session>): void => {
    const session = sessions.get(sessionId);
    if (session !== undefined) sessions.set(sessionId, { ...session, ...part });
  };
  const ongoing = (sessionId: string): boolean => sessions.get(sessionId)?.state === 'ongoing';
  const isRefused = (sessionId: string): boolean => sessions.get(sessionId)?.state === 'refused';
  const holdsTag = (sessionId: string): boolean => sessions.get(sessionId)?.tagReleased !== true;
  const hasNoEnd = (sessionId: string): boolean => sessions.get(sessionId)?.endTime === null;
  for (const id of rows.chargingDespiteRefusal.filter(isRefused).filter(hasNoEnd)) change(id, { state: 'ongoing' });
  for (const id of rows.superseded.filter(ongoing)) change(id, { state: 'superseded' });
  for (const id of rows.tagConflict.filter(ongoing).filter(holdsTag))
    change(id, { verdict: 'in_use', state: 'refused' });
  for (const id of rows.tagReleased) change(id, { tagReleased: true });
  for (const { session } of rows.transactions) change(session.sessionId, session);
  for (const stop of rows.stops.filter(({ sessionId }) => hasNoEnd(sessionId))) change(stop.sessionId, stop);
}

function createMemoryClaims(): TagClaimStore {
  const claims = new Map<string, TagClaim>();
  return {
    find: (tags) => Promise.resolve(tags.flatMap(({ idTagKey }) => claims.get(idTagKey) ?? [])),
    take(changes) {
      for (const { claim, insteadOf } of changes) {
        if (claims.get(claim.idTagKey)?.sessionId === insteadOf) claims.set(claim.idTagKey, claim);
      }
      return Promise.resolve();
    },
  };
}
