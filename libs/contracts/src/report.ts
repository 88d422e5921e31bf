// The envelope in which a gateway reports on a charger.
import { envelopeAuthorization } from './authorization';
import { certificateFinding } from './certificate-check';
import {
  anything,
  integer,
  list,
  literal,
  positive,
  record,
  text,
  timestamp,
  type Schema,
  type ValueOf,
} from './schema';

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

const pendingStart = record({ rfidTag: text }, { socketId: integer, remoteStartId: integer });

/** A remote start requests a session with this tag, at this socket or at any. OCPP 2.x: the session will name `remoteStartId`. */
export type PendingStart = ValueOf<typeof pendingStart>;

const encodedEnvelope = record(
  {
    /** The lowest version of a charger-state that can apply it (`REPORT_KINDS`). */
    v: positive,
    /** A ULID; also the correlation id in logs and the id of a decision's answer. */
    id: text,
    /**
     * - `report`: a CALL that the gateway answers after the confirm.
     * - `decision`: a CALL that charger-state answers.
     * - `log_only`: a frame that was refused or answers nothing. It changes only the time and text of the last message.
     * - `connected`, `disconnected`: the life cycle of the charger's connection.
     * - `outcome`: the end of a CALL of ours.
     * - `nudge`: another writer than charger-state appended events of the feed to the charger's record. It has no position, and
     *   nothing but the charger.
     */
    kind: literal('report', 'decision', 'log_only', 'connected', 'disconnected', 'outcome', 'nudge'),
    chargerId: text,
    /** New for every creation of the charger: a deleted charger's late messages do not reach its successor. */
    incarnationId: text,
    connectionId: text,
    gatewayId: text,
    /** With `seq` the message's `Position`. */
    order: integer,
    seq: integer,
    ocppVersion: text,
    /** The OCPP action of the charger's CALL, or for an outcome of our CALL. Empty for connection events. */
    action: text,
    /** OCPP message id of the CALL. Empty for connection events. */
    messageId: text,
    /** The frame as received, secrets masked. For an outcome, the charger's answer frame. Empty where there is none. */
    raw: text,
    /** Time of receipt at the gateway. */
    receivedAt: timestamp,
  },
  {
    /**
     * The CALL's payload; for an outcome, a `CallOutcome`; for connection events, a `ConnectionEvent`; null for a
     * log_only frame. An encoded batch leaves it out where the raw frame has it.
     */
    payload: anything,
    /** For a report: a SEND of OCPP 2.1, which gets no answer. */
    unanswered: literal(true),
    /** The payload differs from the raw frame's: it was repaired to fit its schema, or it has the data of a customer that `raw` masks. */
    repaired: literal(true),
    /**
     * The frame's true length in bytes, where it was too large to be stored whole. `raw` then has no insignificant white
     * space.
     */
    rawBytes: integer,
    /** For an outcome: our CALL, secrets masked. */
    request: text,
    /** For an outcome: the id that the sender gave the command. */
    commandId: text,
    /** For an outcome: the request that caused the command. */
    requestId: text,
    /** For an outcome: the `traceparent` (W3C) of our CALL, where it is traced. */
    traceparent: text,
    /**
     * For an outcome: the seq of the connection's last message before the CALL was sent. Messages caused by the CALL have
     * a greater one.
     */
    sentAfter: integer,
    /** For a tag that the charger presents or starts a session with: our remote start that the charger had not answered yet. */
    pendingStart,
    /**
     * For a decision about a tag, where an endpoint for real-time authorization applies to the charger: the verdict if the client does
     * not have the tag. Such an envelope has the version `AUTHORIZED_REPORT_VERSION`.
     */
    authorization: envelopeAuthorization,
    /** For a decision about certificates of ISO 15118: what push found. An older consumer answers as without it. */
    certificates: certificateFinding,
    /** For a report or a refused log_only frame: the frame that the gateway answered with. */
    answer: text,
    /** A dead letter that an operator replayed. Its connection may have gone on: then it changes no record, and only adds rows. */
    replayed: literal(true),
    /** For a decision: the gateway's address for the answer. */
    replyTo: text,
    /** For a decision: after this time nobody waits for the answer. The decision is applied all the same. */
    deadline: timestamp,
    /** Kinds of tolerated deviation in the frame. */
    deviations: list(text),
  },
);

/** A decoded report: its payload is there. */
export type ReportEnvelope = ValueOf<typeof encodedEnvelope> & { readonly payload: unknown };
export const reportEnvelope = encodedEnvelope as Schema<ReportEnvelope>;
export type ReportKind = ReportEnvelope['kind'];

/** Envelopes of one partition in the order received, collected while the confirm before was outstanding. */
export const reportBatch = record({ reports: { ...list(reportEnvelope), minItems: 1 } });
export type ReportBatch = ValueOf<typeof reportBatch>;

/** Encodes a batch as text. The payload of a CALL is left out where the raw frame has it. */
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
  const batch = body as { reports: ReportEnvelope[] };
  return { reports: batch.reports.map(checked) };
}

/** A report needs the fields by which its charger record is found and compared, even to be dead-lettered in order. */
function checked(report: ReportEnvelope): ReportEnvelope {
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
