// The session of a transaction of OCPP 2.x: which of a charger's sessions an event belongs to, and what the session shows of the facts
// (rules 139 to 146).
import type { Charger } from '@busbar/domain/chargers';
import { isOpen, wasRefused, type DeviceTransaction, type Session, type SessionState } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { placeOfSocket, socketIdOf } from '@busbar/ocpp';
import { hashOf } from '../../shared/row-id';
import {
  hasEvent,
  isAfterEnd,
  isReusedId,
  summaryOf,
  type TransactionEvent,
  type TransactionFacts,
  type TransactionSummary,
} from './transaction-facts';

export type TransactionSession = Session & { readonly device: DeviceTransaction };

/** As `DeviceTransaction.key`. */
export function transactionKeyOf(incarnationId: string, transactionId: string): string {
  return hashOf(incarnationId, 'transaction', transactionId);
}

/** The session that begins with an event of that time, where the charger has used the id before (rule 144). */
export function laterSessionIdOf(key: string, startTime: string): string {
  return hashOf(key, 'startedAgain', startTime);
}

export function factsOf({ device }: TransactionSession): TransactionFacts {
  return device.facts as TransactionFacts;
}

export function isTransactionSession(session: Session | undefined): session is TransactionSession {
  return session?.device !== undefined;
}

/**
 * The session of these that an event belongs to: that which has it already, since an event without a time of its own is sent again with
 * a later one (rule 141), else the newest that began before it, else the oldest. One whose start has not come may have begun before its earliest event: it has what happened after the end of the one before. Undefined: the event begins another one.
 * `sessions` ascend by their start.
 */
export function sessionOfEvent(sessions: readonly Session[], event: TransactionEvent): TransactionSession | undefined {
  const own = sessions.filter(isTransactionSession);
  const repeated = own.find((session) => hasEvent(factsOf(session), event));
  if (repeated !== undefined) return repeated;
  const at = Math.max(
    0,
    own.findLastIndex(({ startTime }) => startTime <= event.timestamp),
  );
  const [session, next] = own.slice(at);
  if (session === undefined) return undefined;
  const facts = factsOf(session);
  if (next?.device.startKnown === false && isAfterEnd(facts, event)) return next;
  return isReusedId(facts, event) ? undefined : session;
}

/** The session as its facts show it. The end of its operator, its site, its verdict and its state stay. */
export function withFacts(charger: Charger, session: TransactionSession, facts: TransactionFacts): TransactionSession {
  const summary = summaryOf(facts);
  const { startTime, startedOffline, meterStart } = summary;
  const idTag = facts.token?.value.idToken ?? session.idTag;
  const device = deviceOf(session, facts, summary);
  return {
    ...session,
    socketId: socketOf(charger, device, session),
    idTag,
    idTagKey: tagKey(idTag),
    startTime,
    startedOffline,
    meterStart,
    ...(facts.ended === undefined ? {} : endOf(session, summary)),
    device,
  };
}

function deviceOf(
  { device }: TransactionSession,
  facts: TransactionFacts,
  { startKnown, missingEvents }: TransactionSummary,
): DeviceTransaction {
  const { evse, connector, token, chargingState, timeSpentCharging } = facts;
  return {
    ...device,
    evseId: valueOf(evse)?.id ?? null,
    connectorId: valueOf(connector) ?? null,
    idTokenType: valueOf(token)?.type ?? null,
    chargingState: valueOf(chargingState) ?? null,
    timeSpentChargingS: valueOf(timeSpentCharging) ?? null,
    startKnown,
    missingEvents,
    facts,
    revision: device.revision + 1,
  };
}

function valueOf<Value>(sourced: { readonly value: Value } | undefined): Value | undefined {
  return sourced?.value;
}

function endOf(session: TransactionSession, summary: TransactionSummary): Partial<Session> {
  const { meterStop, consumptionWh, endTime, stoppedReason } = summary;
  if (session.endedBy === 'operator') return { meterStop, consumptionWh };
  return { meterStop, consumptionWh, endTime, stopReason: stoppedReason, endedBy: 'charger' };
}

/**
 * The state of a session with this verdict. A charger that ends because of a refusal has not charged; one that charges despite it is no
 * longer refused.
 */
export function stateOf(session: TransactionSession): SessionState {
  const hasCharged = factsOf(session).charged !== undefined || (session.consumptionWh ?? 0) > 0;
  if (isOpen(session) && session.state === 'superseded') return 'superseded';
  if (wasRefused(session) && !hasCharged) return 'refused';
  return isOpen(session) ? 'ongoing' : 'ended';
}

/** The reason by which an end is correlated with a remote stop: Remote also where only the trigger of an event says so (rule 146). */
export function causeOfStop(session: TransactionSession): string | undefined {
  return factsOf(session).remoteStop === undefined ? (session.stopReason ?? undefined) : 'Remote';
}

/** Zero for a place that has no socket, and before the charger has named the EVSE. Assumed where it named no connector (rule 137). */
function socketOf(charger: Charger, { evseId, connectorId }: DeviceTransaction, before: TransactionSession): number {
  if (evseId === null) return 0;
  if (connectorId !== null) return socketIdOf({ evseId, connectorId }) ?? 0;
  const wasAssumed = before.device.evseId === evseId && before.socketId !== 0;
  return wasAssumed ? before.socketId : assumedSocket(charger, evseId);
}

/** The only Occupied connector of the EVSE, else its only known one, else its first. */
function assumedSocket({ reported: { sockets } }: Charger, evseId: number): number {
  const known = Object.entries(sockets).filter(([id]) => placeOfSocket(Number(id))?.evseId === evseId);
  const occupied = known.filter(
    ([, { occupiedSince, isAssumed }]) => occupiedSince !== undefined && isAssumed !== true,
  );
  const [only, ...others] = occupied.length === 1 ? occupied : known;
  return only !== undefined && others.length === 0 ? Number(only[0]) : (socketIdOf({ evseId, connectorId: 1 }) ?? 0);
}
