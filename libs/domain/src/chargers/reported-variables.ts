// What a charger's record has of the device model of OCPP 2.x: reports that it is sending, and values that changed since its last one.
// The model itself is a document of its own.
import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** A variable of a component. `name` is made of the parts. */
export interface VariableName {
  /** `Component.Variable`, instances in brackets, the place behind `@`. */
  readonly name: string;
  readonly component: string;
  readonly instance?: string;
  readonly evseId?: number;
  readonly connectorId?: number;
  readonly variable: string;
  readonly variableInstance?: string;
}

/** A value that the charger took or reported by itself, and that is not in the device model yet. */
export interface ChangedValue extends VariableName {
  readonly attributeType: string;
  /** Absent: it is secret. */
  readonly value?: string;
  readonly at: Timestamp;
  readonly position: Position;
  /** The charger uses it from its next boot on. */
  readonly isPending?: true;
}

/** What a report is about. */
export type DeviceReportKind =
  | 'configuration'
  | 'full'
  | 'summary'
  | 'custom'
  | 'monitoring'
  | 'customer_information'
  | 'display_messages'
  | 'charging_profiles';

/** A report in parts that the charger sent, is sending or has agreed to send. */
export interface ReportInParts {
  readonly requestId: number;
  /** The action of its parts. Absent: NotifyReport. */
  readonly action?: string;
  /** Absent: nobody requested it. */
  readonly kind?: DeviceReportKind;
  /** It was requested by criteria: it is not of all. */
  readonly isPartial?: true;
  /** The service requested it by itself. */
  readonly isOwn?: true;
  readonly isComplete: boolean;
  /** The numbers of its parts that have come, as ascending ranges. */
  readonly sequences: readonly (readonly [first: number, last: number])[];
  /** The number of the part that no other follows. */
  readonly last?: number;
  /** The last part of a report without numbers has come. */
  readonly hasEnded?: true;
  /** When a part came that had not come before, or it was agreed. Absent in reports that an earlier release stored. */
  readonly lastPartAt?: Timestamp;
  /** Of its first message. */
  readonly since?: Position;
  /** The row of its first part, where nobody had requested it then. */
  readonly firstRowId?: string;
}

/** Of the parts of most reports. */
const DEFAULT_ACTION = 'NotifyReport';
/** Without a further part a report is closed after this time, as incomplete (rule 151). */
const CLOSED_AFTER_MS = 600_000;

/** Returns whether the report is given up, as no part has come for ten minutes. */
export function isGivenUp(
  { isComplete, lastPartAt }: Pick<ReportInParts, 'isComplete' | 'lastPartAt'>,
  now: Date,
): boolean {
  return !isComplete && lastPartAt !== undefined && now.getTime() - Date.parse(lastPartAt) >= CLOSED_AFTER_MS;
}

/** The actions of the parts of reports that the charger has agreed to send, and that are neither complete nor given up. */
export function awaitedReports(
  { reports = [] }: { readonly reports?: readonly ReportInParts[] },
  now: Date,
): readonly string[] {
  const awaited = reports.filter((each) => each.kind !== undefined && !each.isComplete && !isGivenUp(each, now));
  return [...new Set(awaited.map(({ action = DEFAULT_ACTION }) => action))];
}
