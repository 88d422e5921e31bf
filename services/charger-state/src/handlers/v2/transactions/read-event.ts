// A TransactionEvent as its facts are folded: times in UTC, and what identifies its content.
import type { Report } from '../../../pipeline/contract';
import { checkTime, type CheckedTime } from '../../shared/clock-check';
import { hashOf } from '../../shared/row-id';
import type { RequestOf } from '../route';
import type { MeterValue } from './register-reading';
import type { TransactionEvent, TransactionEventType } from './transaction-facts';

export type TransactionReport = Report<RequestOf<'TransactionEvent'>>;

interface ReadEvent {
  readonly event: TransactionEvent;
  readonly time: CheckedTime;
}

/** It is asked for before the store is read and again after. */
const read = new WeakMap<TransactionReport, ReadEvent>();

/** The receipt stands for a time that the charger cannot know: one that cannot be read, or is far off. */
export function readEvent(report: TransactionReport): ReadEvent {
  const known = read.get(report) ?? eventOf(report);
  read.set(report, known);
  return known;
}

function eventOf(report: TransactionReport): ReadEvent {
  const { payload, receivedAt } = report;
  const { eventType, seqNo, timestamp, offline = false, transactionInfo, evse, idToken, meterValue = [] } = payload;
  const time = checkTime(timestamp, receivedAt);
  const isRemoteStop = payload.triggerReason === 'RemoteStop';
  const event = {
    eventType: isEventType(eventType) ? eventType : ('Updated' as const),
    seqNo,
    timestamp: time.at,
    isUntimed: time.isOwn ? undefined : true,
    content: hashOf(JSON.stringify(payload)),
    offline,
    chargingState: transactionInfo.chargingState,
    timeSpentCharging: transactionInfo.timeSpentCharging,
    // Without a reason the trigger names it where a command of ours stopped it.
    stoppedReason: transactionInfo.stoppedReason ?? (isRemoteStop ? 'Remote' : undefined),
    isRemoteStop: isRemoteStop || undefined,
    remoteStartId: transactionInfo.remoteStartId,
    reservationId: payload.reservationId,
    idToken: idToken && { idToken: idToken.idToken, type: idToken.type },
    evse: evse && { id: evse.id, ...connectorOf(evse.connectorId) },
    meterValue: meterValue.map((each) => inUtc(each, receivedAt)),
  };
  return { event: defined(event), time };
}

type Defined<Value> = {
  readonly [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name];
} & {
  readonly [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<Value[Name], undefined>;
};

/** Without the fields that the charger left out. */
function defined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<Value>;
}

/** A word that the standard does not have neither begins nor ends a transaction. */
function isEventType(word: string): word is TransactionEventType {
  return word === 'Started' || word === 'Updated' || word === 'Ended';
}

function connectorOf(connectorId: number | undefined) {
  return connectorId === undefined ? {} : { connectorId };
}

function inUtc({ timestamp, sampledValue }: MeterValue, receivedAt: string): MeterValue {
  return { timestamp: checkTime(timestamp, receivedAt).at, sampledValue };
}
