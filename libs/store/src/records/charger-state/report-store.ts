// charger-state's side of the store: the writes of a batch of reports, presence, dead letters.
import { systemClock, type Clock } from '@busbar/core';
import type { DeadLetterStore, ReportRows, ReportStore } from '@busbar/domain/reports';
import type { PresenceStore } from '@busbar/domain/chargers';
import type { AnnounceAppended } from '@busbar/domain/feed';
import type { StateChange } from '@busbar/domain/history';
import { and, eq, gt, gte, lt, lte, oneOf, or, type Collection, type Document, type Store } from '../../port';
import { gatewayRecords } from '../api/gateways';
import { createEventAppender } from '../append-event';
import { changedAt, timeOf, type Now } from '../change-time';
import { collections } from '../collections';
import { createConnectionHistoryWriter } from '../connection-history';
import { saveDeviceModels, saveDeviceState, saveEventStreams } from '../device-states';
import { changeAll, correlateAll, moveAll, replaceTransactions, stopAll } from './row-changes';
import { saveChargers } from './save-chargers';
import { eachWaiting } from './waiting-chargers';

/** Read newest first: they may be of other replicas, from the last minutes. */
const DEAD_GATEWAYS_READ = 10_000;

/** OCPP 1.6 and chargers use a signed integer of 32 bits. */
const MAX_TRANSACTION_ID = 2_147_483_647;

export function createReportStore(store: Store, clock: Clock = systemClock): ReportStore {
  const now = timeOf(clock);
  const chargers = store.collection(collections.chargers);
  const counters = store.collection(collections.counters);
  const clientStarts = store.collection(collections.clientStarts);
  const orders = store.collection(collections.connectionOrders);
  const deviceStates = store.collection(collections.deviceStates);
  const deviceModels = store.collection(collections.deviceModels);
  const eventStreams = store.collection(collections.eventStreams);
  const rowWriter = createRowWriter(store, now);

  async function forgetDaysBefore(clientId: string, day: string): Promise<void> {
    const { days = {} } = (await clientStarts.get(clientId)) ?? {};
    const before = Object.keys(days).filter((each) => each < day);
    if (before.length === 0) return;
    await clientStarts.update(eq('_id', clientId), { unset: before.map((each) => `days.${each}`) });
  }

  return {
    commitsPages: store.ordersWrites,
    loadChargers: (ids) => (ids.length === 0 ? Promise.resolve([]) : chargers.find(oneOf('_id', ids))),
    loadDeviceState: (ids) => (ids.length === 0 ? Promise.resolve([]) : deviceStates.find(oneOf('_id', ids))),
    loadDeviceModels: (ids) => (ids.length === 0 ? Promise.resolve([]) : deviceModels.find(oneOf('_id', ids))),
    loadEventStreams: (ids) => (ids.length === 0 ? Promise.resolve([]) : eventStreams.find(oneOf('_id', ids))),
    async write(rows, changes, pages = []) {
      // Where the store keeps the order of writes, and executes those of one turn atomically, rows and documents share
      // one commit. Elsewhere the rows must be stored before the documents: a document is final, and would name a row
      // wrongly that another replica wrote before.
      const rowsWritten = rowWriter(rows);
      if (!store.ordersWrites && (await rowsWritten)) return 'conflict';
      const documentsWritten = saveChargers(store, { changes, pages }, now);
      const [rowsClash, allMatched] = await Promise.all([rowsWritten, documentsWritten]);
      return rowsClash || !allMatched ? 'conflict' : 'written';
    },
    async takeTransactionIds(count) {
      const last = await counters.incrementAndGet('transactionId', 'value', count);
      return last > MAX_TRANSACTION_ID ? undefined : last - count + 1;
    },
    async takeClientStarts(clientId, day, { count, max }) {
      const path = `days.${day}`;
      const total = await clientStarts.incrementAndGet(clientId, path, count);
      // The first write of a day deletes the days before.
      if (total === count) await forgetDaysBefore(clientId, day);
      const taken = Math.min(count, Math.max(0, max - (total - count)));
      if (taken < count) await clientStarts.incrementAndGet(clientId, path, taken - count);
      return taken;
    },
    async transactionIdsLeft() {
      const last = (await counters.get('transactionId'))?.value ?? 0;
      return Math.max(0, MAX_TRANSACTION_ID - last);
    },
    async nextOrder(chargerId, above) {
      const order = await orders.incrementAndGet(chargerId, 'value');
      if (order > above) return order;
      // A concurrent caller raises it too, and none gets the same number.
      return orders.incrementAndGet(chargerId, 'value', above + 1 - order);
    },
  };
}

/** `announce`: chargers that are set disconnected get an event of the feed; absent: they get none. */
export function createPresenceStore(
  store: Store,
  clock: Clock = systemClock,
  announce?: AnnounceAppended,
): PresenceStore {
  const now = timeOf(clock);
  const events = createEventAppender(clock, announce);
  const gateways = store.collection(collections.gateways);
  const chargers = store.collection(collections.chargers);
  const connections = createConnectionHistoryWriter(store);
  return {
    async markDead(gatewayId, at) {
      await gateways.update(eq('_id', gatewayId), { set: { gatewayId, state: 'dead', at } }, { upsert: true });
    },
    ...gatewayRecords(store),
    listDead: (since) => gateways.find(gte('at', since), { sort: [['at', -1]], limit: DEAD_GATEWAYS_READ }),
    async disconnectAll(gatewayId, at) {
      // First: a failure leaves the chargers, and with them the reason to do it again.
      await connections.endAll(gatewayId, at);
      const { set, inc, at: appendedAt } = events.append({ type: 'charger.disconnected', data: { reason: 'lapsed' } });
      const count = await chargers.update(
        and(eq('connection.active', true), eq('connection.gatewayId', gatewayId)),
        {
          set: { ...set, 'connection.active': false, 'connection.since': null },
          inc: { ...inc, revision: 1 },
          ...changedAt(now()),
        },
        { many: true },
      );
      if (appendedAt !== undefined && count > 0) {
        const those = eq('connection.gatewayId', gatewayId);
        for await (const some of eachWaiting(store, appendedAt, those)) events.announce(some);
      }
      return count;
    },
  };
}

export function createDeadLetterStore(store: Store): DeadLetterStore {
  const letters = store.collection(collections.deadLetters);
  return {
    async insert(letter) {
      // The id last: it replaces the one inside the letter.
      await letters.insert({ ...letter, _id: letter.deadLetterId });
    },
    list(limit, { newestFirst = false, after } = {}) {
      const [direction, behind, notBefore] = newestFirst ? ([-1, lt, lte] as const) : ([1, gt, gte] as const);
      const sort = [['at', direction] as const, ['_id', direction] as const];
      if (after === undefined) return letters.find(and(), { sort, limit });
      const { at, deadLetterId } = after;
      const filter = and(notBefore('at', at), or(behind('at', at), behind('_id', deadLetterId)));
      return letters.find(filter, { sort, limit });
    },
    find: (deadLetterId) => letters.get(deadLetterId),
    drop: async (deadLetterId) => (await letters.delete(eq('_id', deadLetterId))) === 1,
    count: () => letters.count(and()),
  };
}

/** Resolves with whether a session with a new id existed already, or a transaction or a document beside the record had changed. */
function createRowWriter(store: Store, now: Now): (rows: ReportRows) => Promise<boolean> {
  const log = store.collection(collections.ocppLog);
  const stateChanges = store.collection(collections.stateChanges);
  const meterValues = store.collection(collections.meterValues);
  const transactionEvents = store.collection(collections.transactionEvents);
  const events = store.collection(collections.events);
  const orphanStops = store.collection(collections.orphanStops);
  const sessions = store.collection(collections.sessions);
  const deviceStates = store.collection(collections.deviceStates);
  const deviceModels = store.collection(collections.deviceModels);
  const eventStreams = store.collection(collections.eventStreams);
  const deviceReports = store.collection(collections.deviceReports);
  const connections = createConnectionHistoryWriter(store);

  return async (rows) => {
    const started = insertEach(sessions, rows.sessions, (row) => ({ _id: row.sessionId, ...row, updatedAt: now() }));
    if (!store.ordersWrites && rows.sessions.length > 0) {
      // A stop in the same batch as its start needs the row. A session that existed already must not give its new
      // number to any row.
      if ((await started) < rows.sessions.length) return true;
    }
    // A refused session that charges is ongoing, and may then be superseded. A stop comes last.
    const resumed = changeAll(sessions, 'resumed', rows.chargingDespiteRefusal, now);
    if (!store.ordersWrites) await resumed;
    const superseded = changeAll(sessions, 'superseded', rows.superseded, now);
    if (!store.ordersWrites) await superseded;
    const [startedCount, deviceStateMatched, deviceModelsMatched, eventStreamsMatched, transactionsMatched] =
      await Promise.all([
        started,
        saveDeviceState(deviceStates, rows.deviceStates),
        saveDeviceModels(deviceModels, rows.deviceModels),
        saveEventStreams(eventStreams, rows.eventStreams),
        replaceTransactions(sessions, rows.transactions, now),
        resumed,
        superseded,
        stopAll(sessions, rows.stops, now),
        correlateAll(sessions, rows.correlations, now),
        changeAll(sessions, 'tagReleased', rows.tagReleased),
        changeAll(sessions, 'refused', rows.tagConflict, now),
        moveAll(sessions, rows.moved, ({ sessionIds }) => sessionIds, now),
        moveAll(stateChanges, rows.moved, ({ stateChangeIds }) => stateChangeIds),
        insertAll(log, rows.log, (row) => row.rowId),
        insertEach(stateChanges, rows.stateChanges, stateChangeDocument),
        insertAll(meterValues, rows.meterValues, (row) => row.rowId),
        insertAll(transactionEvents, rows.transactionEvents, (row) => row.rowId),
        insertAll(events, rows.events, (row) => row.rowId),
        insertAll(deviceReports, rows.deviceReports, (row) => row.rowId),
        insertAll(orphanStops, rows.orphanStops, (row) => row.orphanId),
        connections.write(rows),
      ]);
    const documentsMatched = deviceStateMatched && deviceModelsMatched && eventStreamsMatched;
    return startedCount < rows.sessions.length || !(documentsMatched && transactionsMatched);
  };
}

function stateChangeDocument(row: StateChange) {
  return { _id: row.rowId, ...row, dayState: `${row.at.slice(0, 10)} ${row.state}` };
}

/** The number of new ones. */
function insertAll<T>(collection: Collection<T & Document>, rows: readonly T[], id: (row: T) => string) {
  return insertEach(collection, rows, (row) => ({ _id: id(row), ...row }));
}

async function insertEach<T, D extends Document>(
  collection: Collection<D>,
  rows: readonly T[],
  document: (row: T) => D,
): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await collection.bulk(rows.map((row) => ({ insert: document(row) })));
  return result.inserted;
}
