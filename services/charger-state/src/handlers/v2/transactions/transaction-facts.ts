// What the events of a transaction of OCPP 2.x say together. They come in any order, twice, with gaps and from several
// connections; the facts depend on the set of them alone (rule 140). Each field has the event that decides it, so that adding an
// event is a comparison, never a question of what came first.
import { missingSequences, withSequence, type SequenceRange } from '@busbar/domain';
import { withReadings, type MeterValue, type Readings, type RegisterReading } from './register-reading';

export type TransactionEventType = 'Started' | 'Updated' | 'Ended';

/** One TransactionEvent, with its timestamps in UTC. */
export interface TransactionEvent {
  readonly eventType: TransactionEventType;
  readonly seqNo: number;
  readonly timestamp: string;
  /** True where `timestamp` is that of receipt, which is a later one each time that the event is sent. Absent: false. */
  readonly isUntimed?: boolean;
  /** Identifies its content: decides between events that are equal in everything else. */
  readonly content: string;
  readonly offline: boolean;
  readonly chargingState?: string;
  readonly timeSpentCharging?: number;
  readonly stoppedReason?: string;
  /** A remote stop is what triggered it. Absent: false. */
  readonly isRemoteStop?: true;
  readonly remoteStartId?: number;
  readonly reservationId?: number;
  readonly idToken?: Token;
  readonly evse?: Evse;
  readonly meterValue?: readonly MeterValue[];
}

export interface Token {
  readonly idToken: string;
  readonly type: string;
}

export interface Evse {
  readonly id: number;
  readonly connectorId?: number;
}

/** The place of an event among those of its transaction. */
interface EventOrder {
  readonly seqNo: number;
  readonly timestamp: string;
  readonly eventType: TransactionEventType;
  readonly content: string;
}

/** A value with the event that has it. */
export type Sourced<Value> = EventOrder & Readonly<{ value: Value }>;

interface Start {
  readonly offline: boolean;
  readonly reservationId?: number;
}

/** Their readings are those of all events but other ends than `ended`. */
export interface TransactionFacts extends Readings {
  /** The earliest of all timestamps. */
  readonly earliest: string;
  readonly started?: Sourced<Start>;
  /** The value is its reason. */
  readonly ended?: Sourced<string>;
  /** The first event that a remote stop triggered (F03), whatever reason the end has. */
  readonly remoteStop?: Sourced<true>;
  readonly token?: Sourced<Token>;
  /** The remote start that caused it (F01, F02). */
  readonly remoteStartId?: Sourced<number>;
  readonly evse?: Sourced<Evse>;
  /** The connector, of the lowest event that names one. */
  readonly connector?: Sourced<number>;
  readonly chargingState?: Sourced<string>;
  /** The first event that says that energy flowed, or was suspended. */
  readonly energized?: Sourced<true>;
  /** The first event that says that energy flowed. */
  readonly charged?: Sourced<true>;
  readonly timeSpentCharging?: Sourced<number>;
  /** The readings without those of `ended`, whose place a lower one may take. Absent before an end, and in facts of an earlier release. */
  readonly beforeEnd?: Readings;
  readonly sequences: readonly SequenceRange[];
  /** The highest few events, so that another event of the same number is known as one. Absent in facts of an earlier release. */
  readonly highest?: readonly SequencedContent[];
}

type SequencedContent = readonly [seqNo: number, content: string];

/** What a session shows of its transaction. */
export interface TransactionSummary {
  /** False before Started has come. */
  readonly startKnown: boolean;
  readonly startTime: string;
  readonly startedOffline: boolean;
  readonly endTime: string | null;
  readonly stoppedReason: string | null;
  /** Wh. Null before Started has come, and without a register. */
  readonly meterStart: number | null;
  /** Wh. Null before Ended has come, and without a register. */
  readonly meterStop: number | null;
  readonly consumptionWh: number | null;
  readonly missingEvents: readonly number[];
}

/** Of events of one number and time (rule 141). */
export const TYPE_ORDER: Readonly<Record<TransactionEventType, number>> = { Started: 0, Updated: 1, Ended: 2 };
/** Where `stoppedReason` is absent (OCPP 2.0.1 Part 2, TransactionType). */
const DEFAULT_REASON = 'Local';
const WH_DECIMALS = 6;
/** Events that facts name: a charger that reuses a number mostly reuses the last one. */
const MAX_HIGHEST = 4;
const CHARGING = 'Charging';
/** Energy flows, or would if the car or the charger let it. */
const ENERGIZED: ReadonlySet<string> = new Set([CHARGING, 'SuspendedEV', 'SuspendedEVSE']);

/** Adds an event. The same facts where it says nothing new; without facts, those of a transaction's first event. */
export function withEvent(facts: TransactionFacts | undefined, event: TransactionEvent): TransactionFacts {
  if (facts === undefined) return fold({ earliest: event.timestamp, sequences: [] }, event);
  return hasEvent(facts, event) ? facts : fold(facts, event);
}

function fold(before: TransactionFacts, event: TransactionEvent): TransactionFacts {
  const { chargingState, timeSpentCharging, evse, idToken, remoteStartId } = event;
  const parts = {
    earliest: event.timestamp < before.earliest ? event.timestamp : before.earliest,
    started: event.eventType === 'Started' ? lowest(before.started, sourced(event, startOf(event))) : before.started,
    ended:
      event.eventType === 'Ended'
        ? lowest(before.ended, sourced(event, event.stoppedReason ?? DEFAULT_REASON))
        : before.ended,
    remoteStop: lowest(before.remoteStop, sourced(event, event.isRemoteStop)),
    token: lowest(before.token, sourced(event, idToken)),
    remoteStartId: lowest(before.remoteStartId, sourced(event, remoteStartId)),
    evse: lowest(before.evse, sourced(event, evse)),
    connector: lowest(before.connector, sourced(event, evse?.connectorId)),
    chargingState: highest(before.chargingState, sourced(event, chargingState)),
    energized: lowest(before.energized, sourced(event, ENERGIZED.has(chargingState ?? '') ? true : undefined)),
    charged: lowest(before.charged, sourced(event, chargingState === CHARGING ? true : undefined)),
    timeSpentCharging: highest(before.timeSpentCharging, sourced(event, timeSpentCharging)),
    sequences: withSequence(before.sequences, event.seqNo),
    highest: withContent(before.highest ?? [], event),
  };
  return readingsAdded(before, changed(before, parts), event);
}

/**
 * The facts with the readings of their last event. A transaction ends once: another end than `ended` adds none, and a lower one takes the
 * place of the known one with its readings (rules 140, 145). Facts of an earlier release keep those of the end that they have.
 */
function readingsAdded(
  before: TransactionFacts,
  facts: TransactionFacts,
  { eventType, meterValue = [] }: TransactionEvent,
): TransactionFacts {
  if (eventType !== 'Ended') {
    const beforeEnd = facts.beforeEnd && withReadings(facts.beforeEnd, meterValue);
    return withReadings(changed(facts, { beforeEnd }), meterValue);
  }
  if (facts.ended === before.ended) return facts;
  const { meterStart, meterStop, ...others } = facts;
  const beforeEnd = facts.beforeEnd ?? (meterStart && meterStop ? { meterStart, meterStop } : {});
  return { ...others, ...withReadings(beforeEnd, meterValue), beforeEnd };
}

/** What these facts show. */
export function summaryOf(facts: TransactionFacts): TransactionSummary {
  const { started, ended, earliest } = facts;
  return {
    startKnown: started !== undefined,
    startTime: started === undefined ? earliest : started.timestamp,
    startedOffline: started?.value.offline === true,
    endTime: ended?.timestamp ?? null,
    stoppedReason: ended?.value ?? null,
    ...energyBetween(started && facts.meterStart, ended && facts.meterStop),
    missingEvents: missingSequences(facts.sequences),
  };
}

/** Whether an event is known as the start, the end or one of the highest of these facts: it was sent again (rule 141). */
export function hasEvent(
  { started, ended, highest = [] }: TransactionFacts,
  { seqNo, content }: TransactionEvent,
): boolean {
  if (started?.content === content || ended?.content === content) return true;
  return highest.some((each) => each[0] === seqNo && each[1] === content);
}

/**
 * Whether an event that was not sent before begins another transaction of the same id, since the charger reuses its ids: its number is
 * not behind that of the end, but it happened after it (rule 144). See `mayBegin` and `isSecond`.
 */
export function isReusedId(facts: TransactionFacts, event: TransactionEvent): boolean {
  return (
    mayBegin(event) && isSecond(facts, event) && isAfterEnd(facts, event) && event.seqNo <= (facts.ended?.seqNo ?? -1)
  );
}

/**
 * Whether an event may be the first that comes of a transaction whose id was used before. A transaction starts once and ends once. An
 * Updated says nothing: a charger that numbers every event 0 may send one after the end. Nor does an end without a time of its own.
 */
export function mayBegin({ eventType, isUntimed = false }: TransactionEvent): boolean {
  return eventType === 'Started' || (eventType === 'Ended' && !isUntimed);
}

/** Without a time of its own, a start after the end may be the late one of the same transaction, as long as that has none. */
function isSecond({ started }: TransactionFacts, { isUntimed = false }: TransactionEvent): boolean {
  return !isUntimed || started !== undefined;
}

/** Whether an event happened after the end of the transaction, as far as that has come. */
export function isAfterEnd({ ended }: TransactionFacts, { timestamp }: TransactionEvent): boolean {
  return ended !== undefined && timestamp > ended.timestamp;
}

/** The highest few with the event: the same ones in any order of arrival. */
function withContent(
  known: readonly SequencedContent[],
  { seqNo, content }: TransactionEvent,
): readonly SequencedContent[] {
  const [lowest] = known;
  const isBelow = lowest !== undefined && compareContents([seqNo, content], lowest) < 0;
  if (known.length >= MAX_HIGHEST && isBelow) return known;
  return [...known, [seqNo, content] as const].toSorted(compareContents).slice(-MAX_HIGHEST);
}

function compareContents(one: SequencedContent, other: SequencedContent): number {
  return one[0] - other[0] || compareText(one[1], other[1]);
}

/** Negative where the first comes before: by number, then time, then type, then content (rules 140, 141, 144). */
function compare(one: EventOrder, other: EventOrder): number {
  return (
    one.seqNo - other.seqNo ||
    compareText(one.timestamp, other.timestamp) ||
    TYPE_ORDER[one.eventType] - TYPE_ORDER[other.eventType] ||
    compareText(one.content, other.content)
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function sourced<Value>(event: TransactionEvent, value: Value | undefined): Sourced<Value> | undefined {
  if (value === undefined) return undefined;
  const { seqNo, timestamp, eventType, content } = event;
  return { seqNo, timestamp, eventType, content, value };
}

function startOf({ offline, reservationId }: TransactionEvent): Start {
  return { offline, ...(reservationId === undefined ? {} : { reservationId }) };
}

function lowest<Value>(
  known: Sourced<Value> | undefined,
  next: Sourced<Value> | undefined,
): Sourced<Value> | undefined {
  if (known === undefined || next === undefined) return known ?? next;
  return compare(next, known) < 0 ? next : known;
}

function highest<Value>(
  known: Sourced<Value> | undefined,
  next: Sourced<Value> | undefined,
): Sourced<Value> | undefined {
  if (known === undefined || next === undefined) return known ?? next;
  return compare(next, known) > 0 ? next : known;
}

type Parts = { readonly [Name in keyof TransactionFacts]?: TransactionFacts[Name] | undefined };

/** The facts with the parts that differ; the same object where none does. */
function changed(facts: TransactionFacts, parts: Parts): TransactionFacts {
  const differing = Object.entries(parts).filter(
    ([name, value]) => value !== undefined && value !== facts[name as keyof TransactionFacts],
  );
  return differing.length === 0 ? facts : { ...facts, ...Object.fromEntries(differing) };
}

function energyBetween(
  start: RegisterReading | undefined,
  stop: RegisterReading | undefined,
): Pick<TransactionSummary, 'meterStart' | 'meterStop' | 'consumptionWh'> {
  const [meterStart, meterStop] = [start?.wh ?? null, stop?.wh ?? null];
  // Without the error of a subtraction of decimals.
  const consumptionWh =
    meterStart === null || meterStop === null ? null : Number((meterStop - meterStart).toFixed(WH_DECIMALS));
  return { meterStart, meterStop, consumptionWh };
}
