// The contract between the pipeline and the handlers of each OCPP version: what a handler is given and what it returns.
// Handlers import this file of the pipeline; the pipeline imports no handler.
import type { Position, ReportEnvelope } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { ReportRows } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { DeviceModel } from '@busbar/domain/device-model';
import type { DeviceState, EventStreams } from '@busbar/domain/device-state';
import type { Session } from '@busbar/domain/sessions';
import type { Tag } from '@busbar/domain/tags';
import type { DeviationKind } from '@busbar/ocpp';
import type { BatchEvents } from '../feed/batch-events';

export { isAfter } from '@busbar/contracts';

export type CallPayload = Readonly<Record<string, unknown>>;

/** A report whose payload has passed its action's schema. */
export interface Report<Payload> extends Omit<ReportEnvelope, 'payload'> {
  readonly payload: Payload;
}

/** Handles one OCPP action: names what it looks up, then computes the changed record and its rows. Pure. */
export interface Handler<Payload = unknown, Answer = CallPayload> {
  /** Names what `apply` will look up. */
  readonly prepare?: (needs: Needs, charger: Charger, report: Report<Payload>) => void;
  /**
   * Must give the same rows and answer when it is applied again to a later record. A message may be delivered twice: its
   * second answer is sent, while the second change of the record is dropped.
   */
  readonly apply: (charger: Charger, report: Report<Payload>, context: HandlerContext) => Handled<Answer>;
  /** Its messages begin sessions. Those of a deleted charger are abandoned. */
  readonly beginsSession?: true;
}

export type Router = (report: ReportEnvelope) => Handler | undefined;

export interface HandlerContext {
  readonly lookups: Lookups;
  /** Handlers append to these lists. */
  readonly rows: ReportRows;
  /** Handlers append sessions whose tag was accepted, but may be in use by a session that begins at the same time. */
  readonly contested: Session[];
  /** Handlers emit events of the feed. They count only where the record did not contain the message. */
  readonly events: BatchEvents;
  readonly position: Position;
  readonly heartbeatIntervalS: number;
  /** Transactions that a charger may begin in a day; absent or 0: any number. */
  readonly maxStartsPerDay?: number;
}

export interface Handled<Answer = CallPayload> {
  /** The record after this message: the same object where nothing changed. Never changed in place. */
  readonly charger: Charger;
  /** The CALLRESULT's payload, for a decision. */
  readonly answer?: Answer;
  /** Deviations that only charger-state can detect, such as a clock that is far off. */
  readonly deviations?: readonly DeviationKind[];
  /** The charger sent the message before (rule 119): it has its answer, and nothing follows from it. */
  readonly isRepeat?: true;
  /** The start got no transaction id and no answer: the gateway sends InternalError, and the charger retries. */
  readonly startRefused?: StartRefusal;
}

/** The day's limit of the charger or of its client is reached, or no transaction id is left. */
export type StartRefusal = 'too_many_starts' | 'too_many_client_starts' | 'out_of_ids';

/** The client and day (UTC) to which a transaction id is counted. */
export interface IdTaker {
  readonly clientId: string;
  readonly day: string;
  /** It gets an id beyond the client's limit too: it is of a report, which was answered already. */
  readonly mayExceed?: true;
}

/** Collects what the handlers of a batch look up. */
export interface Needs {
  tag(clientId: string, idTagKey: string): void;
  ongoingWithTag(clientId: string, idTagKey: string): void;
  transaction(transactionId: number): void;
  /** A session that begins. A new one gets a transaction id, unless `taker` is undefined. */
  start(sessionId: string, taker: IdTaker | undefined): void;
  /** Transactions that a charger may begin in a day; 0: any number. */
  readonly maxStartsPerDay: number;
  /** A transaction of OCPP 2.x. One without a session begins one, which gets a transaction id. */
  deviceTransaction(transaction: NeededTransaction): void;
  deviceStates(chargerId: string): void;
  deviceModel(chargerId: string): void;
  eventStreams(chargerId: string): void;
}

export interface NeededTransaction {
  /** As in `DeviceTransaction`. */
  readonly key: string;
  /** The session of a transaction that has none. */
  readonly sessionId: string;
  /** The session of a Started or Ended event of that time, where the charger has used the id before. */
  readonly startsAgain?: { readonly sessionId: string; readonly startTime: Timestamp };
  /** Of an Ended event. */
  readonly endTime?: Timestamp;
  readonly taker: IdTaker | undefined;
}

export interface Lookups {
  tag(clientId: string, idTagKey: string): Tag | undefined;
  chargesOpenly(clientId: string): boolean;
  session(sessionId: string): Session | undefined;
  sessionOfTransaction(transactionId: number | undefined): Session | undefined;
  ongoingWithTag(clientId: string, idTagKey: string): readonly Session[];
  /** Sessions of a key of `DeviceTransaction`, the oldest first. */
  sessionsOfDevice(key: string): readonly Session[];
  /** The transaction id reserved for a new session, or why there is none. Undefined: none was requested. */
  newTransactionId(sessionId: string): number | StartRefusal | undefined;
  /** Stores a session as this batch has changed it, for the later messages of the batch. */
  put(session: Session): void;
  /** As read for `needs.deviceStates`, or as this batch has changed it. */
  deviceStates(charger: Charger): DeviceState;
  putDeviceState(deviceStates: DeviceState): void;
  /** As read for `needs.deviceModel`, or as this batch has changed it. Undefined where no message of the batch needs it. */
  deviceModel(charger: Charger): DeviceModel | undefined;
  putDeviceModel(deviceModel: DeviceModel): void;
  /** As read for `needs.eventStreams`, or as this batch has changed it. */
  eventStreams(charger: Charger): EventStreams;
  putEventStreams(eventStreams: EventStreams): void;
}

/** The result of one message. */
export interface Applied {
  readonly report: ReportEnvelope;
  /** The record after it; undefined when no such charger (or another incarnation of it) is registered. */
  readonly charger: Charger | undefined;
  /** The CALLRESULT's payload, for a decision. Absent where no handler takes it. */
  readonly answer?: CallPayload;
  /** False for a message that the record contains already. */
  readonly isNew: boolean;
  /** As in `Handled`. */
  readonly isRepeat?: true;
  /** Tolerated by the handler, beside what the gateway found. */
  readonly deviations?: readonly DeviationKind[];
  readonly startRefused?: StartRefusal;
}

/** The record with some of its reported parts replaced. */
export function withReported(charger: Charger, parts: Partial<Charger['reported']>): Charger {
  return { ...charger, reported: { ...charger.reported, ...parts } };
}
