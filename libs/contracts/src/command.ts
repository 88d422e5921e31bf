/** A CALL to a charger, sent to the gateway that has its connection. */
export interface CommandRequest {
  /** `COMMAND_VERSION` of the sender. */
  readonly v: number;
  readonly commandId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The charger's time to answer once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest wait in the gateway's queue before that. Absent: the gateway's own limit. */
  readonly waitMs?: number;
  /** The request that caused the command, for logs. */
  readonly requestId?: string;
}

/** The outcome of a call to a charger, as its gateway reports it. */
export type CallOutcome =
  | { readonly outcome: 'answered'; readonly payload: Readonly<Record<string, unknown>> }
  /** The charger answered with a CALLERROR. */
  | { readonly outcome: 'error'; readonly code: string; readonly description: string }
  /** The charger's answer does not fit the schema of its OCPP version. */
  | { readonly outcome: 'invalid_answer'; readonly description: string }
  /** The CALL was sent, and no answer came in time. */
  | { readonly outcome: 'timeout' }
  /** The connection was lost before an answer came. */
  | { readonly outcome: 'disconnected' }
  /** The charger is not connected to this gateway. */
  | { readonly outcome: 'not_here' }
  /** The gateway does not know this version of the command. Nothing was sent. */
  | { readonly outcome: 'unsupported_version' }
  /** The charger's queue is full, or the wait in it took too long. Nothing was sent. */
  | { readonly outcome: 'busy' };
