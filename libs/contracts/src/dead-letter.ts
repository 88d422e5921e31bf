import type { ReportEnvelope } from './report';

/** A report that could not be applied through its own fault, or a body that contains no report, with the last error. */
export type DeadLetter = FailedReport | UnreadableBody;

export interface FailedReport {
  /** `DEAD_LETTER_VERSION` of the sender. */
  readonly v: number;
  readonly report: ReportEnvelope;
  readonly reason: string;
  /** When it was dead-lettered (RFC 3339, UTC). */
  readonly at: string;
}

export interface UnreadableBody {
  readonly v: number;
  /** A hash of the body: the same body always becomes the same dead letter. */
  readonly id: string;
  /** The body's text, shortened where it is long. */
  readonly text: string;
  readonly reason: string;
  readonly at: string;
}
