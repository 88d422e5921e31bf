// Gathers a report that a charger sends in parts: NotifyReport, NotifyMonitoringReport, NotifyDisplayMessages,
// ReportChargingProfiles, NotifyCustomerInformation (rule 151). Parts come in any order and twice. Pure.
import { withSequence, type SequenceRange } from '../sequence-ranges';

export interface ReportPart {
  /** Absent in messages that have none: ReportChargingProfiles, NotifyDisplayMessages. */
  readonly seqNo?: number;
  /** `tbc`: more parts follow. */
  readonly isContinued: boolean;
}

export interface ReportParts {
  readonly sequences: readonly SequenceRange[];
  /** The number of the part that no other follows. */
  readonly last?: number;
  /** The last part of a report without numbers has come. */
  readonly hasEnded?: true;
}

export const NO_PARTS: ReportParts = { sequences: [] };

/** The same object where the part has come before. */
export function withPart(parts: ReportParts, { seqNo, isContinued }: ReportPart): ReportParts {
  if (seqNo === undefined) return isContinued || parts.hasEnded === true ? parts : { ...parts, hasEnded: true };
  const sequences = withSequence(parts.sequences, seqNo);
  const last = isContinued ? parts.last : Math.max(seqNo, parts.last ?? seqNo);
  if (sequences === parts.sequences && last === parts.last) return parts;
  return { ...parts, sequences, ...(last === undefined ? {} : { last }) };
}

/** The last part and all below it have come. */
export function isReportComplete({ sequences, last, hasEnded }: ReportParts): boolean {
  if (hasEnded === true) return true;
  const [lowest] = sequences;
  // Numbers begin at 0 (OCPP 2.0.1 Part 2, NotifyReportRequest).
  return last !== undefined && lowest !== undefined && lowest[0] === 0 && lowest[1] >= last;
}
