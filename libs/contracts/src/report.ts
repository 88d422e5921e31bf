// What a gateway says of a charger, and the order of it.

/**
 * report = the charger's word, answered by the gateway after the confirm; decision = the charger's question, answered by
 * charger-state; noted = a well-formed frame that changes nothing but when and what was last heard (refused, or an answer
 * to nothing); connected, disconnected = the socket's own life; outcome = how a CALL of ours ended.
 */
export type ReportKind = 'report' | 'decision' | 'log_only' | 'connected' | 'disconnected' | 'outcome';

/** What a remote start asks for: a session of this tag, at this connector or at any. */
export interface PendingStart {
  readonly idTag: string;
  readonly connectorId?: number;
}

export interface ReportEnvelope {
  /** `REPORT_VERSION` of the gateway. */
  readonly v: number;
  /** ULID; also the correlation id in logs and the key of a decision's answer. */
  readonly id: string;
  readonly kind: ReportKind;
  readonly chargerId: string;
  /** New whenever the charger is created: keeps a deleted charger's late messages out of its successor. */
  readonly incarnationId: string;
  /** With `seq` the message's `Position`. */
  readonly order: number;
  readonly seq: number;
  readonly connectionId: string;
  readonly gatewayId: string;
  readonly ocppVersion: string;
  /** The OCPP action; of an outcome, the action of our CALL; of a connection event, empty. */
  readonly action: string;
  /** OCPP message id of the CALL. Empty for connection events. */
  readonly messageId: string;
  /** The CALL's payload; of an outcome, `CallOutcome`; of a noted frame or connection event, null. */
  readonly payload: unknown;
  /** The payload is not the raw frame's: it was made to fit its schema. */
  readonly repaired?: true;
  /** The frame as it came, secrets masked. Of an outcome, the charger's answer frame ('' when none came). Of connection events ''. */
  readonly raw: string;
  /** The frame's true length in bytes, where it was too large to be kept: `raw` is without insignificant white space then. */
  readonly rawBytes?: number;
  /** Of an outcome: the CALL that we sent, secrets masked. */
  readonly request?: string;
  /** Of an outcome: the id that the command was given by whoever sent it. */
  readonly commandId?: string;
  /** Of an outcome: of the request that the command came by. */
  readonly requestId?: string;
  /**
   * Of an outcome: the seq of what the connection had published last when the CALL was sent. What came of the CALL has a
   * greater one.
   */
  readonly sentAfter?: number;
  /** Of a report, or of a noted frame that was refused: the frame that the gateway answered with. */
  readonly answer?: string;
  /** Of Authorize and StartTransaction: our remote start that the charger had not answered yet when it asked. */
  readonly pendingStart?: PendingStart;
  /** ISO UTC timestamp at the gateway. */
  readonly receivedAt: string;
  /** Of a decision: the gateway's address for the answer. */
  readonly replyTo?: string;
  /** Of a decision: ISO timestamp after which nobody waits for the answer. It is applied all the same. */
  readonly deadline?: string;
  /** Kinds of tolerated deviation found in the frame. */
  readonly deviations?: readonly string[];
  /** Of connected: the peer's address. Of disconnected: why the socket ended. */
  readonly detail?: string;
}

/** Envelopes of one partition in the order received: what came while the confirm before it was outstanding. */
export interface ReportBatch {
  readonly reports: readonly ReportEnvelope[];
}

/**
 * A batch as text. A CALL's payload is not written unless it was repaired: it stands in the raw frame already, and writing
 * it twice would double the cost of the hop.
 */
export function encodeReports(batch: ReportBatch): string {
  let text = '';
  for (const report of batch.reports) {
    const slim = carriesPayloadInRaw(report) ? { ...report, payload: undefined } : report;
    text += (text === '' ? '' : ',') + JSON.stringify(slim);
  }
  return `{"reports":[${text}]}`;
}

/** The inverse of `encodeReports`, from its text as JSON. Throws SyntaxError or TypeError on what is no batch of envelopes. */
export function decodeReports(body: unknown): ReportBatch {
  const batch = body as { reports: (ReportEnvelope & { payload?: unknown })[] };
  return { reports: batch.reports.map(checked) };
}

/** What the record is found by and compared with must be there: without it nothing could even be given up in order. */
function checked(report: ReportEnvelope & { payload?: unknown }): ReportEnvelope {
  const { id, chargerId, incarnationId, order, seq } = report;
  const named = typeof id === 'string' && typeof chargerId === 'string' && typeof incarnationId === 'string';
  if (!named || typeof order !== 'number' || typeof seq !== 'number')
    throw new TypeError('a report without its envelope');
  return report.payload === undefined ? withPayload(report) : report;
}

function carriesPayloadInRaw(report: ReportEnvelope): boolean {
  return (report.kind === 'report' || report.kind === 'decision') && report.repaired !== true;
}

function withPayload(report: ReportEnvelope): ReportEnvelope {
  const frame = JSON.parse(report.raw) as readonly unknown[];
  return { ...report, payload: frame[3] ?? {} };
}
