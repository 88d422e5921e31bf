// Deletion by age: which rows are old, and the time that decides it.
import { firstIdAt, timeOfId } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { PruneBefore, RetentionStore } from '@busbar/domain/history';
import { BOOTSTRAP_KEY_NAME } from '@busbar/domain/clients';
import { type Session } from '@busbar/domain/sessions';
import {
  and,
  eq,
  lt,
  lte,
  ne,
  type Collection,
  type CollectionDefinition,
  type Document,
  type Filter,
  type Store,
} from '../../port';
import { collections } from '../collections';

const RETENTION = 'retention';

/** Their ids begin with the time of receipt. */
const DATED_BY_ID: readonly CollectionDefinition<Document>[] = [collections.ocppLog, collections.events];
const DATED_BY_RECEIPT: readonly CollectionDefinition<Document>[] = [
  collections.stateChanges,
  collections.meterValues,
  collections.transactionEvents,
  collections.orphanStops,
];

export function createRetentionStore(store: Store): RetentionStore {
  const letters = store.collection(collections.deadLetters);
  const retention = store.collection(collections.retention);
  const rows = (definition: CollectionDefinition<Document>): Collection<Document> => store.collection(definition);
  const kinds = prunedKinds().map((kind) => ({ ...kind, rows: rows(kind.of) }));
  const byId = DATED_BY_ID.map(rows);
  const byReceipt = DATED_BY_RECEIPT.map(rows);

  return {
    async prune(before, limit) {
      const counts: Record<string, number> = {};
      for (const kind of kinds) {
        counts[kind.of.name] = (counts[kind.of.name] ?? 0) + (await kind.rows.delete(kind.old(before), limit));
      }
      return counts;
    },
    pruneDeadLetters: (before, limit) => letters.delete(lt('at', before), limit),
    retainedUntil: async () => (await retention.get(RETENTION))?.retainedUntil,
    async moveRetainedUntil(from, to) {
      if (from === undefined) return (await retention.insert({ _id: RETENTION, retainedUntil: to })).inserted;
      const same = and(eq('_id', RETENTION), eq('retainedUntil', from));
      return (await retention.update(same, { set: { retainedUntil: to } })) === 1;
    },
    async newestRowAt() {
      const newest = await Promise.all([
        ...byId.map(async (each) => timestampOfId(await greatest(each, '_id'))),
        ...byReceipt.map((each) => greatest(each, 'receivedAt')),
      ]);
      return newest
        .filter((at) => at !== undefined)
        .toSorted()
        .at(-1);
    },
  };
}

/** The states of ended sessions. Every state must be here or among those in progress. */
const SESSIONS_OVER: Readonly<Record<Exclude<Session['state'], 'ongoing'>, (before: Timestamp) => Filter>> = {
  // A long session is as old as its end.
  ended: (before) => and(eq('state', 'ended'), lt('recordedAt', before), lt('endTime', before)),
  superseded: (before) => and(eq('state', 'superseded'), lt('recordedAt', before)),
  refused: (before) => and(eq('state', 'refused'), lt('recordedAt', before)),
};

interface PrunedKind {
  readonly of: CollectionDefinition<Document>;
  readonly old: (before: PruneBefore) => Filter;
}

function prunedKinds(): readonly PrunedKind[] {
  const history = DATED_BY_RECEIPT.map((of) => ({ of, old: ({ history }: PruneBefore) => lt('receivedAt', history) }));
  return [
    { of: collections.ocppLog, old: ({ log }) => lt('_id', firstIdAt(Date.parse(log))) },
    { of: collections.events, old: (before) => lt('_id', firstIdAt(Date.parse(before.history))) },
    { of: collections.idempotencyRecords, old: ({ answers }) => lte('expiresAt', answers) },
    { of: collections.consoleSessions, old: ({ answers }) => lte('expiresAt', answers) },
    { of: collections.signInCodes, old: ({ answers }) => lte('expiresAt', answers) },
    { of: collections.chargerCertificates, old: ({ answers }) => lte('notAfter', answers) },
    { of: collections.tagClaims, old: ({ claims }) => lt('at', claims) },
    { of: collections.commands, old: ({ commands }) => lt('requestedAt', commands) },
    { of: collections.deviceReports, old: ({ commands }) => lt('_id', firstIdAt(Date.parse(commands))) },
    { of: collections.connectionAttempts, old: ({ attempts }) => lt('at', attempts) },
    // An open one has no end.
    { of: collections.connections, old: (before) => lt('disconnectedAt', before.history) },
    { of: collections.deliveryLog, old: ({ deliveries }) => lt('_id', firstIdAt(Date.parse(deliveries))) },
    { of: collections.deadDeliveries, old: (before) => lt('parkedAt', before.deadDeliveries) },
    { of: collections.deletedPushedChargers, old: (before) => lt('deletedAt', before.deadDeliveries) },
    { of: collections.gateways, old: ({ gateways }) => lt('at', gateways) },
    ...history,
    ...Object.values(SESSIONS_OVER).map((old) => ({
      of: collections.sessions,
      old: (before: PruneBefore) => old(before.sessions),
    })),
    { of: collections.apiKeys, old: ({ keys }) => and(lt('revokedAt', keys), ne('name', BOOTSTRAP_KEY_NAME)) },
  ];
}

async function greatest(rows: Collection<Document>, path: string): Promise<string | undefined> {
  const [newest] = await rows.findValues(and(), [path], { sort: [[path, -1]], limit: 1 });
  const value = newest?.[0];
  return typeof value === 'string' ? value : undefined;
}

function timestampOfId(id: string | undefined): Timestamp | undefined {
  // The id of a further event of a message continues behind that of the message.
  const ms = timeOfId((id ?? '').slice(0, 26));
  return ms === undefined ? undefined : toTimestamp(new Date(ms));
}
