// What a handler of one OCPP action is: it says what it must know, then tells how a charger's record changes and what
// rows there are. Pure; the batch around it reads and writes.
import type { Position, ReportEnvelope } from '@busbar/contracts';
import type { ReportRows } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import type { DeviationKind } from '@busbar/ocpp';
import type { Lookups, Needs } from '../pipeline/lookups';

export { isAfter } from '@busbar/contracts';

export type CallPayload = Readonly<Record<string, unknown>>;

/** A report with its payload as the version's schema has checked it at the gateway. */
export interface Report<Payload> extends Omit<ReportEnvelope, 'payload'> {
  readonly payload: Payload;
}

export interface HandlerContext {
  readonly lookups: Lookups;
  /** To add to. */
  readonly rows: ReportRows;
  /** To add to: sessions whose tag was accepted, unless another begins with it in this very moment. */
  readonly contested: Session[];
  readonly position: Position;
  /** What is told to chargers in BootNotification's answer, in seconds. */
  readonly heartbeatIntervalS: number;
  /** Transactions that a charger may begin in a day; absent or 0: any number. */
  readonly maxStartsPerDay?: number;
  /** Whether there is an authority that signs chargers' certificates. */
  readonly signsCertificates?: boolean;
}

export interface Handled {
  /** The record after this message: the same object where nothing changed. Never changed in place. */
  readonly charger: Charger;
  /** Of a decision: the CALLRESULT's payload. */
  readonly answer?: CallPayload;
  /** Deviations that show only here, such as a clock that is far off. */
  readonly deviations?: readonly DeviationKind[];
  /** A start that got no transaction id, and no answer: the gateway sends InternalError, and the charger retries. */
  readonly startRefused?: StartRefusal;
}

/** Too many of the charger or of its client that day, or no id is left for anybody. */
export type StartRefusal = 'too_many_starts' | 'too_many_client_starts' | 'out_of_ids';

export interface Handler<Payload> {
  /** Names what `apply` will look up. */
  readonly prepare?: (needs: Needs, charger: Charger, report: Report<Payload>) => void;
  /**
   * Must give the same rows and answer when it is applied again to a later record: a message may come twice, and is then
   * answered again while its change of the record is thrown away.
   */
  readonly apply: (charger: Charger, report: Report<Payload>, context: HandlerContext) => Handled;
}

/** The record with some of its reported parts replaced. */
export function withReported(charger: Charger, parts: Partial<Charger['reported']>): Charger {
  return { ...charger, reported: { ...charger.reported, ...parts } };
}
