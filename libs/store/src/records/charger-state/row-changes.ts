// Changes of stored rows: of sessions, and of the site that a row names.
import type { MovedRows } from '@busbar/domain/reports';
import type { CommandCorrelation, Session, SessionStop, TransactionChange } from '@busbar/domain/sessions';
import { and, eq, type BulkOperation, type Collection, type Document } from '../../port';
import { asFields } from '../as-json';
import { changedAt, type Now } from '../change-time';

type Rows = Collection<Document>;
type Change = Extract<BulkOperation<Document>, { readonly filter: unknown }>;

/** The changes of sessions that are found by id: the other conditions, and the new values. */
const SESSION_CHANGES = {
  superseded: { where: [eq('state', 'ongoing')], set: { state: 'superseded' } },
  /** The charger charges despite the refusal. An ended session stays ended. */
  resumed: { where: [eq('state', 'refused'), eq('endTime', null)], set: { state: 'ongoing' } },
  /** Irrevocable, so the order of writes does not matter. */
  tagReleased: { where: [], set: { tagReleased: true } },
  /** A session that ended, or whose socket became free, was answered before; the answer stays. */
  refused: {
    where: [eq('state', 'ongoing'), eq('verdict', 'accepted'), eq('tagReleased', null)],
    set: { verdict: 'in_use', state: 'refused' },
  },
} as const;

export function changeAll(
  sessions: Rows,
  kind: keyof typeof SESSION_CHANGES,
  sessionIds: readonly string[],
  now?: Now,
): Promise<void> {
  const { where, set } = SESSION_CHANGES[kind];
  const changes = sessionIds.map((id) => ({ filter: and(eq('_id', id), ...where), update: { set } }));
  return write(sessions, changes, now);
}

/** Changes the site of rows that still name `fromSiteId`. `now`: for rows that have a time of change. */
export function moveAll(
  rows: Rows,
  moved: readonly MovedRows[],
  idsOf: (rows: MovedRows) => readonly string[],
  now?: Now,
): Promise<void> {
  const changes = moved.flatMap((each) =>
    idsOf(each).map((id): Change => ({
      filter: and(eq('_id', id), eq('siteId', each.fromSiteId)),
      update: { set: { siteId: each.toSiteId } },
    })),
  );
  return write(rows, changes, now);
}

/** The first correlation with a command stays. */
export function correlateAll(sessions: Rows, correlations: readonly CommandCorrelation[], now: Now): Promise<void> {
  const changes = correlations.map((tie): Change => {
    const field = 'commandId' in tie ? 'commandId' : 'stopCommandId';
    const set =
      'commandId' in tie ? { commandId: tie.commandId, startedBy: 'remote' } : { stopCommandId: tie.stopCommandId };
    return { filter: and(eq('_id', tie.sessionId), eq(field, null)), update: { set } };
  });
  return write(sessions, changes, now);
}

/**
 * An ended session is not ended again. After its operator's end the first stop adds the meter reading, which shows
 * whether it charged.
 */
export function stopAll(sessions: Rows, stops: readonly SessionStop[], now: Now): Promise<void> {
  const changes = stops.flatMap(
    ({ sessionId, state, endTime, meterStop, consumptionWh, stopReason, stopCommandId, stopReportId }): Change[] => [
      {
        filter: and(eq('_id', sessionId), eq('endTime', null)),
        update: {
          set: {
            state,
            endTime,
            meterStop,
            consumptionWh,
            stopReason,
            endedBy: 'charger',
            stopReportId,
            ...(stopCommandId === undefined ? {} : { stopCommandId }),
          },
        },
      },
      {
        filter: and(eq('_id', sessionId), eq('endedBy', 'operator'), eq('meterStop', null)),
        update: { set: { state, meterStop, consumptionWh, stopReportId } },
      },
    ],
  );
  return write(sessions, changes, now);
}

/** Returns whether every row was unchanged since its read. */
export async function replaceTransactions(
  sessions: Rows,
  changes: readonly TransactionChange[],
  now: Now,
): Promise<boolean> {
  if (changes.length === 0) return true;
  const { matched } = await sessions.bulk(
    changes.map(({ session, from, changesState }) => ({
      filter: and(
        eq('_id', session.sessionId),
        eq('device.revision', from.revision),
        eq('endedBy', from.endedBy ?? null),
      ),
      update: { set: asFields(transactionFields(session, changesState)), ...changedAt(now()) },
    })),
  );
  return matched === changes.length;
}

/** What events of a transaction may change. Its site and the release of its tag are changed by others. */
const TRANSACTION_FIELDS = [
  'socketId',
  'idTag',
  'idTagKey',
  'startTime',
  'startedOffline',
  'meterStart',
  'meterStop',
  'consumptionWh',
  'endTime',
  'stopReason',
  'verdict',
  'authorizedBy',
  'startedBy',
  'commandId',
  'stopCommandId',
  'stopReportId',
  'endedBy',
  'device',
] as const satisfies readonly (keyof Session)[];

function transactionFields(session: Session, changesState: boolean): Partial<Session> {
  const present = TRANSACTION_FIELDS.filter((field) => session[field] !== undefined);
  const fields = Object.fromEntries(present.map((field) => [field, session[field]]));
  return changesState ? { ...fields, state: session.state } : fields;
}

async function write(rows: Rows, changes: readonly Change[], now?: Now): Promise<void> {
  if (changes.length === 0) return;
  const changed = now === undefined ? {} : changedAt(now());
  await rows.bulk(changes.map(({ filter, update }) => ({ filter, update: { ...update, ...changed } })));
}
