// Changes of rows that are in already: of sessions, and of what names the site at which its charger stood.
import type { MovedRows, SessionStop, SessionTie } from '@busbar/domain';
import { and, eq, ne, type Collection, type Document } from '../port';

export async function supersedeAll(sessions: Collection<Document>, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await sessions.bulk(
    sessionIds.map((sessionId) => ({
      filter: and(eq('_id', sessionId), eq('state', 'ongoing')),
      update: { set: { state: 'superseded' } },
    })),
  );
}

export async function goOnAll(sessions: Collection<Document>, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await sessions.bulk(sessionIds.map((id) => ({ filter: eq('_id', id), update: { set: { goesOn: true } } })));
}

/** One that has ended meanwhile was answered before; what it was answered stays. */
export async function refuseAll(sessions: Collection<Document>, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await sessions.bulk(
    sessionIds.map((id) => ({
      filter: and(eq('_id', id), eq('state', 'ongoing'), eq('verdict', 'accepted')),
      update: { set: { verdict: 'in_use' } },
    })),
  );
}

export async function moveAll(
  collection: Collection<Document>,
  moved: readonly MovedRows[],
  idsOf: (rows: MovedRows) => readonly string[],
): Promise<void> {
  const operations = moved.flatMap((rows) =>
    idsOf(rows).map((id) => ({
      filter: and(eq('_id', id), eq('siteId', rows.fromSiteId)),
      update: { set: { siteId: rows.toSiteId } },
    })),
  );
  if (operations.length > 0) await collection.bulk(operations);
}

/** A session that is tied to a command stays tied to it. */
export async function tieAll(sessions: Collection<Document>, ties: readonly SessionTie[]): Promise<void> {
  if (ties.length === 0) return;
  await sessions.bulk(
    ties.map((tie) =>
      'commandId' in tie
        ? {
            filter: and(eq('_id', tie.sessionId), eq('commandId', null)),
            update: { set: { commandId: tie.commandId, startedBy: 'remote' } },
          }
        : {
            filter: and(eq('_id', tie.sessionId), eq('stopCommandId', null)),
            update: { set: { stopCommandId: tie.stopCommandId } },
          },
    ),
  );
}

/** A session that has ended is not ended again. */
export async function stopAll(sessions: Collection<Document>, stops: readonly SessionStop[]): Promise<void> {
  if (stops.length === 0) return;
  await sessions.bulk(
    stops.map((stop) => ({
      filter: and(eq('_id', stop.sessionId), ne('state', 'ended')),
      update: {
        set: {
          state: 'ended',
          endTime: stop.endTime,
          meterStop: stop.meterStop,
          consumptionWh: stop.consumptionWh,
          stopReason: stop.stopReason,
          ...(stop.stopCommandId === undefined ? {} : { stopCommandId: stop.stopCommandId }),
        },
      },
    })),
  );
}
