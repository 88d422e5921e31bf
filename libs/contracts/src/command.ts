import { literal, object, oneOf, positive, record, text, type ValueOf } from './schema';

export const commandRequest = record(
  {
    /** The lowest version of a gateway that can execute it. */
    v: positive,
    commandId: text,
    chargerId: text,
    incarnationId: text,
    action: text,
    payload: object,
    /** The charger's time to answer once the CALL is sent, in milliseconds. */
    timeoutMs: positive,
  },
  {
    /** The longest wait in the gateway's queue before that. Absent: the gateway's own limit. */
    waitMs: positive,
    /** The request that caused the command, for logs. */
    requestId: text,
  },
);

/** A CALL to a charger, sent to the gateway that has its connection. */
export type CommandRequest = ValueOf<typeof commandRequest>;

export const callOutcome = oneOf(
  record({ outcome: literal('answered'), payload: object }),
  /** The charger answered with a CALLERROR. */
  record({ outcome: literal('error'), code: text, description: text }),
  /** The charger's answer does not fit the schema of its OCPP version. */
  record({ outcome: literal('invalid_answer'), description: text }),
  /** The CALL was sent, and no answer came in time. */
  record({ outcome: literal('timeout') }),
  /** The connection was lost before an answer came. */
  record({ outcome: literal('disconnected') }),
  /** The charger is not connected to this gateway. */
  record({ outcome: literal('not_here') }),
  /** The charger's queue is full, or the wait in it took too long. Nothing was sent. */
  record({ outcome: literal('busy') }),
);

/** The outcome of a call to a charger, as its gateway reports it. */
export type CallOutcome = ValueOf<typeof callOutcome>;
