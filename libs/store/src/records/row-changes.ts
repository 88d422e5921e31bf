// Changes of stored rows: of sessions, and of the site that a row names.
import type { MovedRows } from '@busbar/domain/reports';
import type { SessionStop, CommandCorrelation } from '@busbar/domain/sessions';
import { and, eq, type Collection, type Document } from '../port';
import { changedAt, type Now } from './change-time';

export async function supersedeAll(
  sessions: Collection<Document>,
  sessionIds: readonly string[],
  now: Now,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const changed = changedAt(now());
  await sessions.bulk(
    sessionIds.map((sessionId) => ({
      filter: and(eq('_id', sessionId), eq('state', 'ongoing')),
      update: { set: { state: 'superseded' }, ...changed },
    })),
  );
}

/** The charger charges despite the refusal. An ended session stays ended. */
export async function resumeRefusedAll(
  sessions: Collection<Document>,
  sessionIds: readonly string[],
  now: Now,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const changed = changedAt(now());
  await sessions.bulk(
    sessionIds.map((id) => ({
      filter: and(eq('_id', id), eq('state', 'refused'), eq('endTime', null)),
      update: { set: { state: 'ongoing' }, ...changed },
    })),
  );
}

/** Irrevocable, so the order of writes does not matter. */
export async function releaseTagsAll(sessions: Collection<Document>, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await sessions.bulk(sessionIds.map((id) => ({ filter: eq('_id', id), update: { set: { tagReleased: true } } })));
}

/** A session that ended, or whose socket became free, was answered before; the answer stays. */
export async function refuseAll(
  sessions: Collection<Document>,
  sessionIds: readonly string[],
  now: Now,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const changed = changedAt(now());
  await sessions.bulk(
    sessionIds.map((id) => ({
      filter: and(eq('_id', id), eq('state', 'ongoing'), eq('verdict', 'accepted'), eq('tagReleased', null)),
      update: { set: { verdict: 'in_use', state: 'refused' }, ...changed },
    })),
  );
}

/** Changes the site of rows that still name `fromSiteId`. `now`: for rows that have a time of change. */
export async function moveAll(
  collection: Collection<Document>,
  moved: readonly MovedRows[],
  idsOf: (rows: MovedRows) => readonly string[],
  now?: Now,
): Promise<void> {
  if (moved.length === 0) return;
  const changed = now === undefined ? {} : changedAt(now());
  const operations = moved.flatMap((rows) =>
    idsOf(rows).map((id) => ({
      filter: and(eq('_id', id), eq('siteId', rows.fromSiteId)),
      update: { set: { siteId: rows.toSiteId }, ...changed },
    })),
  );
  if (operations.length > 0) await collection.bulk(operations);
}

/** The first correlation with a command stays. */
export async function correlateAll(
  sessions: Collection<Document>,
  correlations: readonly CommandCorrelation[],
  now: Now,
): Promise<void> {
  if (correlations.length === 0) return;
  const changed = changedAt(now());
  await sessions.bulk(
    correlations.map((tie) =>
      'commandId' in tie
        ? {
            filter: and(eq('_id', tie.sessionId), eq('commandId', null)),
            update: { set: { commandId: tie.commandId, startedBy: 'remote' }, ...changed },
          }
        : {
            filter: and(eq('_id', tie.sessionId), eq('stopCommandId', null)),
            update: { set: { stopCommandId: tie.stopCommandId }, ...changed },
          },
    ),
  );
}

/**
 * An ended session is not ended again. After its operator's end the first stop adds the meter reading, which shows
 * whether it charged.
 */
export async function stopAll(sessions: Collection<Document>, stops: readonly SessionStop[], now: Now): Promise<void> {
  if (stops.length === 0) return;
  const changed = changedAt(now());
  await sessions.bulk(
    stops.flatMap(({ sessionId, state, endTime, meterStop, consumptionWh, stopReason, stopCommandId }) => [
      {
        filter: and(eq('_id', sessionId), eq('endTime', null)),
        update: {
          set: {
            ...{ state, endTime, meterStop, consumptionWh, stopReason, endedBy: 'charger' },
            ...(stopCommandId === undefined ? {} : { stopCommandId }),
          },
          ...changed,
        },
      },
      {
        filter: and(eq('_id', sessionId), eq('endedBy', 'operator'), eq('meterStop', null)),
        update: { set: { state, meterStop, consumptionWh }, ...changed },
      },
    ]),
  );
}
