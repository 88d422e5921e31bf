// Which transactions of OCPP 2.x a charger's record shows as ongoing (rules 137 and 145).
import type { Charger } from '@busbar/domain/chargers';
import { ongoingKey, type OngoingTransaction, type Session } from '@busbar/domain/sessions';
import { isSameEvse } from '@busbar/ocpp';
import { withReported, type HandlerContext } from '../../../pipeline/contract';
import { isWithinLimit } from '../../shared/row-limit';
import { supersedeOngoing } from '../../shared/supersede-ongoing';
import { factsOf, type TransactionSession } from './transaction-session';

export interface Shown {
  readonly charger: Charger;
  /** Sockets whose transaction may have changed. */
  readonly sockets: readonly number[];
  /** Where the record showed it before: the charger has named another connector. */
  readonly leftSocket: number | undefined;
  /** A later transaction at its EVSE has superseded it. */
  readonly isSuperseded: boolean;
}

/**
 * The record after a session has changed: it shows the session while that is in progress, at its socket. `needs.transaction` must have
 * named the others that the record shows, unless it shows this one and the event names no EVSE. `isFirst`: the record has not contained
 * the session. Its row may be stored as superseded nevertheless, where the process died before it stored the record; the event of the
 * later session is redelivered too, and supersedes it in the record.
 */
export function showOngoing(
  charger: Charger,
  session: TransactionSession,
  { isFirst }: { readonly isFirst: boolean },
  context: HandlerContext,
): Shown {
  const entries = Object.entries(charger.reported.ongoing);
  const own = entries.find(([, { sessionId }]) => sessionId === session.sessionId);
  const others = entries.filter((entry) => entry !== own);
  const atEvse = others.filter(([, { socketId }]) => isSameEvse(session.socketId, socketId));
  const superseded = atEvse.filter(([, ongoing]) => supersedes(session, ongoing));
  for (const [, ongoing] of superseded) supersedeOngoing(ongoing, context);
  const left = others.filter((entry) => !superseded.includes(entry));
  const isSuperseded = left.some(
    (entry) => atEvse.includes(entry) && supersedes(context.lookups.session(entry[1].sessionId), session),
  );
  const key = ongoingKey(session);
  const isFree = !isSuperseded && !left.some((entry) => entry[0] === key);
  const isShown = isFree && isInProgress(session, isFirst) && mayShow(charger, session, own !== undefined);
  const shown = isShown ? [...left, [key, ongoingOf(session, own?.[1], context)] as const] : left;
  const after = sameEntries(entries, shown) ? charger : withReported(charger, { ongoing: Object.fromEntries(shown) });
  const sockets = [session.socketId, ...[own, ...superseded].map((entry) => entry?.[1].socketId ?? 0)];
  const before = own?.[1].socketId;
  return {
    charger: after,
    sockets: [...new Set(sockets)].filter((id) => id !== 0),
    leftSocket: before === session.socketId ? undefined : before,
    isSuperseded,
  };
}

function isInProgress({ endTime, state }: TransactionSession, isFirst: boolean): boolean {
  return endTime === null && (isFirst || state !== 'superseded');
}

/**
 * A Started that is not offline, after the start of the other: the end of that one was lost (rule 145). Of two starts at one time, the
 * one that came later.
 */
function supersedes(session: Session | undefined, other: Pick<Session, 'startTime' | 'transactionId'>): boolean {
  if (session?.device?.startKnown !== true || session.startedOffline) return false;
  if (session.startTime === other.startTime) return session.transactionId > other.transactionId;
  return session.startTime > other.startTime;
}

function mayShow({ reported: { ongoing } }: Charger, { socketId }: TransactionSession, isKnown: boolean): boolean {
  return isKnown || isWithinLimit(ongoing, socketId, 0);
}

function ongoingOf(
  session: TransactionSession,
  before: OngoingTransaction | undefined,
  { position }: HandlerContext,
): OngoingTransaction {
  const { socketId, transactionId, sessionId, idTag, startTime, commandId, device } = session;
  const next: OngoingTransaction = {
    socketId,
    transactionId,
    sessionId,
    idTag,
    startTime,
    position: before?.position ?? position,
    ...(session.tagReleased === true ? { tagReleased: true } : {}),
    ...(commandId === undefined ? {} : { commandId }),
    ...(session.state === 'refused' ? { refused: true } : {}),
    device: {
      id: device.id,
      chargingState: device.chargingState,
      wasEnergized: factsOf(session).energized !== undefined,
    },
  };
  return before !== undefined && JSON.stringify(before) === JSON.stringify(next) ? before : next;
}

type Entry = readonly [key: string, ongoing: OngoingTransaction];

function sameEntries(one: readonly Entry[], other: readonly Entry[]): boolean {
  return (
    one.length === other.length &&
    one.every(([key, each]) => other.some((entry) => entry[0] === key && entry[1] === each))
  );
}
