// The envelope in which a gateway reports on a charger.

/**
 * - `report`: a CALL that the gateway answers after the confirm.
 * - `decision`: a CALL that charger-state answers.
 * - `log_only`: a frame that was refused or answers nothing. It changes only the time and text of the last message.
 * - `connected`, `disconnected`: the life cycle of the charger's connection.
 * - `outcome`: the end of a CALL of ours.
 */
export type ReportKind = 'report' | 'decision' | 'log_only' | 'connected' | 'disconnected' | 'outcome';

/** The payload of `connected` and `disconnected`: all that the history of connections shows. */
export interface ConnectionEvent {
  /** When the socket opened, also where the gateway announces it again (RFC 3339, UTC). */
  readonly connectedAt: string;
  readonly remoteAddress: string | null;
  /** The security profile that the admission verified; null from a charger-state that does not report it. */
  readonly securityProfile: number | null;
  /** The code of the close handshake, 1005 or 1006 without one. Null while the socket is open. */
  readonly closeCode: number | null;
  readonly closeReason: string | null;
}

/** A remote start requests a session with this tag, at this socket or at any. */
export interface PendingStart {
  readonly rfidTag: string;
  readonly socketId?: number;
}

export interface ReportEnvelope {
  /** `REPORT_VERSION` of the gateway. */
  readonly v: number;
  /** A ULID; also the correlation id in logs and the id of a decision's answer. */
  readonly id: string;
  readonly kind: ReportKind;
  readonly chargerId: string;
  /** New for every creation of the charger: a deleted charger's late messages do not reach its successor. */
  readonly incarnationId: string;
  /** With `seq` the message's `Position`. */
  readonly order: number;
  readonly seq: number;
  readonly connectionId: string;
  readonly gatewayId: string;
  readonly ocppVersion: string;
  /** The OCPP action of the charger's CALL, or for an outcome of our CALL. Empty for connection events. */
  readonly action: string;
  /** OCPP message id of the CALL. Empty for connection events. */
  readonly messageId: string;
  /** The CALL's payload; for an outcome, a `CallOutcome`; for connection events, a `ConnectionEvent`; null for a log_only frame. */
  readonly payload: unknown;
  /** The payload was repaired to fit its schema, and differs from the raw frame's. */
  readonly repaired?: true;
  /** The frame as received, secrets masked. For an outcome, the charger's answer frame. Empty where there is none. */
  readonly raw: string;
  /**
   * The frame's true length in bytes, where it was too large to be stored whole. `raw` then has no insignificant white
   * space.
   */
  readonly rawBytes?: number;
  /** For an outcome: our CALL, secrets masked. */
  readonly request?: string;
  /** For an outcome: the id that the sender gave the command. */
  readonly commandId?: string;
  /** For an outcome: the request that caused the command. */
  readonly requestId?: string;
  /** For an outcome: the `traceparent` (W3C) of our CALL, where it is traced. */
  readonly traceparent?: string;
  /**
   * For an outcome: the seq of the connection's last message before the CALL was sent. Messages caused by the CALL have
   * a greater one.
   */
  readonly sentAfter?: number;
  /** For a report or a refused log_only frame: the frame that the gateway answered with. */
  readonly answer?: string;
  /** For a tag that the charger presents or starts a session with: our remote start that the charger had not answered yet. */
  readonly pendingStart?: PendingStart;
  /** Time of receipt at the gateway (RFC 3339, UTC). */
  readonly receivedAt: string;
  /** For a decision: the gateway's address for the answer. */
  readonly replyTo?: string;
  /** For a decision: after this time nobody waits for the answer. The decision is applied all the same. */
  readonly deadline?: string;
  /** Kinds of tolerated deviation in the frame. */
  readonly deviations?: readonly string[];
}

/** Envelopes of one partition in the order received, collected while the confirm before was outstanding. */
export interface ReportBatch {
  readonly reports: readonly ReportEnvelope[];
}

/** Encodes a batch as text. The payload of a CALL is left out unless it was repaired, since the raw frame has it. */
export function encodeReports(batch: ReportBatch): string {
  let text = '';
  for (const report of batch.reports) {
    const slim = carriesPayloadInRaw(report) ? { ...report, payload: undefined } : report;
    text += (text === '' ? '' : ',') + JSON.stringify(slim);
  }
  return `{"reports":[${text}]}`;
}

/** Decodes the JSON of `encodeReports`. Throws SyntaxError or TypeError for anything else. */
export function decodeReports(body: unknown): ReportBatch {
  const batch = body as { reports: (ReportEnvelope & { payload?: unknown })[] };
  return { reports: batch.reports.map(checked) };
}

/** A report needs the fields by which its charger record is found and compared, even to be dead-lettered in order. */
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
