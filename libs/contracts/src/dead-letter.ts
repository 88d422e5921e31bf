import { reportEnvelope } from './report';
import { oneOf, positive, record, text, timestamp, type ValueOf } from './schema';

export const deadLetter = oneOf(
  record({
    /** `DEAD_LETTER_VERSION` of the sender. */
    v: positive,
    report: reportEnvelope,
    reason: text,
    /** When it was dead-lettered. */
    at: timestamp,
  }),
  record({
    v: positive,
    /** A hash of the body: the same body always becomes the same dead letter. */
    id: text,
    /** The body's text, shortened where it is long. */
    text,
    reason: text,
    at: timestamp,
  }),
);

/** A report that could not be applied through its own fault, or a body that contains no report, with the last error. */
export type DeadLetter = ValueOf<typeof deadLetter>;
