// Which transactions of OCPP 2.x a charger's record shows as ongoing (rules 137 and 145).
import type { Charger } from '@busbar/domain/chargers';
import { ongoingKey, type OngoingTransaction } from '@busbar/domain/sessions';
import { withReported, type HandlerContext } from '../../../pipeline/contract';
import { isWithinLimit } from '../../shared/row-limit';
import { emitEnded } from '../../shared/session-events';
import { factsOf, type TransactionSession } from './transaction-session';

export interface Shown {
  readonly charger: Charger;
  /** Sockets whose transaction may have changed. */
  readonly sockets: readonly number[];
  /** Another transaction is in progress at its socket, and this one began before it. */
  readonly isBehind: boolean;
}

/** The record after a session has changed: it shows the session while that is in progress, at its socket. */
export function showOngoing(charger: Charger, session: TransactionSession, context: HandlerContext): Shown {
  const entries = Object.entries(charger.reported.ongoing);
  const own = entries.find(([, { sessionId }]) => sessionId === session.sessionId);
  const key = ongoingKey(session);
  const there = entries.find((entry) => entry !== own && entry[0] === key)?.[1];
  const replaces = there !== undefined && supersedes(session, there);
  if (replaces) supersede(there, context);
  const isFree = there === undefined || replaces;
  const left = entries.filter((entry) => entry !== own && !(isFree && entry[1] === there));
  const isShown = isFree && isInProgress(session) && mayShow(charger, session, own !== undefined);
  const shown = isShown ? [...left, [key, ongoingOf(session, own?.[1], context)] as const] : left;
  const after = sameEntries(entries, shown) ? charger : withReported(charger, { ongoing: Object.fromEntries(shown) });
  return { charger: after, sockets: socketsOf(own?.[1], session), isBehind: !isFree && session.device.startKnown };
}

function socketsOf(before: OngoingTransaction | undefined, { socketId }: TransactionSession): readonly number[] {
  const sockets = before === undefined || before.socketId === socketId ? [socketId] : [before.socketId, socketId];
  return sockets.filter((id) => id !== 0);
}

function isInProgress({ endTime, state }: TransactionSession): boolean {
  return endTime === null && state !== 'superseded';
}

/** A Started that is not offline, after the start of the other: the end of that one was lost (rule 145). */
function supersedes(session: TransactionSession, { startTime, refused }: OngoingTransaction): boolean {
  const { started } = factsOf(session);
  return started !== undefined && !started.value.offline && refused !== true && session.startTime > startTime;
}

function supersede({ sessionId }: OngoingTransaction, { rows, lookups, events }: HandlerContext): void {
  rows.superseded.push(sessionId);
  const known = lookups.session(sessionId);
  if (known === undefined) return;
  if (known.state === 'ongoing') lookups.put({ ...known, state: 'superseded' });
  if (known.endTime === null) emitEnded(events, known, true);
  // Its operator ended it, and has not removed it from the record yet: that would have announced the end.
  else if (known.endedBy === 'operator') emitEnded(events, known, false);
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
