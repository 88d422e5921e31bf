// The history of connections: its writes by charger-state, and its list.
import type { Records } from '@busbar/domain';
import { UNREPORTED_ENDS, type ConnectionRecord, type ConnectionReplaced } from '@busbar/domain/chargers';
import type { ReportRows } from '@busbar/domain/reports';
import { and, eq, gte, lt, lte, oneOf, type BulkOperation, type Store, type Update } from '../port';
import { asFields } from './as-json';
import { collections } from './collections';
import { createListPage } from './lists/list-page';
import { trim } from './trim';

/** The newest connections of a charger that are kept. */
export const MAX_CONNECTIONS = 1000;
/**
 * One of 16 connections, chosen by its random id, deletes those above the limit. So a charger that reconnects all the time
 * costs little, and has few above the limit.
 */
const TRIMS = new Set(['0', 'G']);

/** The number of a connection's first report: no stored row is older. */
const FIRST_SEQ = 1;

type ConnectionDocument = ConnectionRecord & { readonly _id: string };

export function connectionHistoryRecords(store: Store): Records['connectionHistory'] {
  const connectionPage = createListPage(store.collection(collections.connections));
  return {
    list(incarnationId, { from, to }, page) {
      const times = [
        ...(from === undefined ? [] : [gte('connectedAt', from)]),
        ...(to === undefined ? [] : [lte('connectedAt', to)]),
      ];
      return connectionPage(and(eq('incarnationId', incarnationId), ...times), page, '_id');
    },
  };
}

export interface ConnectionHistoryWriter {
  write(rows: Pick<ReportRows, 'connections' | 'replacedConnections' | 'connectionsOfDeleted'>): Promise<void>;
  /** Ends the open connections of a lost gateway. */
  endAll(gatewayId: string, at: string): Promise<void>;
  /** Deletes those of a deleted charger. */
  drop(incarnationId: string): Promise<void>;
}

export function createConnectionHistoryWriter(store: Store): ConnectionHistoryWriter {
  const connections = store.collection(collections.connections);

  return {
    async write({ connections: rows, replacedConnections: replaced, connectionsOfDeleted: deleted }) {
      if (rows.length + replaced.length + deleted.length === 0) return;
      const stored = rows.length === 0 ? undefined : connections.bulk(newestOf(rows).flatMap(storeOperations));
      // A row of this batch may be replaced by the next one. Where the store keeps the order, both share one commit.
      if (!store.ordersWrites && haveCommon(rows, replaced)) await stored;
      await Promise.all([
        stored,
        replaced.length === 0 ? undefined : connections.bulk(replaced.map(replaceOperation)),
        deleted.length === 0 ? undefined : connections.delete(oneOf('_id', deleted)),
      ]);
      for (const { connectionId, incarnationId, disconnectedAt } of rows) {
        if (disconnectedAt !== null || !TRIMS.has(connectionId.at(-1) ?? '')) continue;
        await trim(connections, eq('incarnationId', incarnationId), 'connectedAt', MAX_CONNECTIONS);
      }
    },
    async endAll(gatewayId, at) {
      const open = and(eq('gatewayId', gatewayId), eq('disconnectedAt', null));
      await connections.update(open, end(at, UNREPORTED_ENDS.gateway_lost), { many: true });
    },
    async drop(incarnationId) {
      await connections.delete(eq('incarnationId', incarnationId));
    },
  };
}

/** One row for each connection: a bulk has no order. */
function newestOf(rows: readonly ConnectionRecord[]): readonly ConnectionRecord[] {
  const newest = new Map<string, ConnectionRecord>();
  for (const row of rows) {
    const other = newest.get(row.connectionId);
    if (other === undefined || other.seq < row.seq) newest.set(row.connectionId, row);
  }
  return [...newest.values()];
}

function haveCommon(rows: readonly ConnectionRecord[], replaced: readonly ConnectionReplaced[]): boolean {
  const ids = new Set(rows.map(({ connectionId }) => connectionId));
  return replaced.some(({ connectionId }) => ids.has(connectionId));
}

/** Whichever is executed first: a new row is inserted, and a stored one with the same or a later report stays. */
function storeOperations(row: ConnectionRecord): BulkOperation<ConnectionDocument>[] {
  const insert = { _id: row.connectionId, ...row };
  if (row.seq === FIRST_SEQ) return [{ insert }];
  const filter = and(eq('_id', row.connectionId), lt('seq', row.seq));
  return [{ insert }, { filter, update: { set: asFields(row) } }];
}

function replaceOperation({ connectionId, at }: ConnectionReplaced): BulkOperation<ConnectionDocument> {
  const filter = and(eq('_id', connectionId), eq('disconnectedAt', null));
  return { filter, update: end(at, UNREPORTED_ENDS.replaced) };
}

function end(at: string, reason: string): Update {
  return { set: { disconnectedAt: at, closeReason: reason } };
}
