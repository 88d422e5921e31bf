import type { ReportEnvelope } from './report';

/** What could not be applied, by its own fault, and what the last attempt said: a report, or a body that holds none. */
export type DeadLetter = FailedReport | UnreadableBody;

export interface FailedReport {
  /** `DEAD_LETTER_VERSION` of whoever gave it up. */
  readonly v: number;
  readonly report: ReportEnvelope;
  readonly reason: string;
  /** ISO UTC timestamp at which it was given up. */
  readonly at: string;
}

export interface UnreadableBody {
  readonly v: number;
  /** Made of the body, so that one met again is the same letter. */
  readonly id: string;
  /** The body's text, or its beginning where it is long. */
  readonly text: string;
  readonly reason: string;
  readonly at: string;
}
