import type { ReportEnvelope } from './report';

/** A report that could not be applied, by its own fault, and what the last attempt said. */
export interface DeadLetter {
  readonly report: ReportEnvelope;
  readonly reason: string;
  /** ISO UTC instant at which it was given up. */
  readonly at: string;
}
