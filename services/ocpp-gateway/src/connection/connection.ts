import type {
  BootStatus,
  CertificateFinding,
  CertificateQuestion,
  Compatibility,
  EnvelopeAuthorization,
  SecurityProfile,
} from '@busbar/contracts';
import type { CertificateIdentity } from '@busbar/http';
import type { Distribution } from '@busbar/runtime';
import type { CallQueue, Masker, MessageRef, Protocol, Replay, TagQuestion } from '@busbar/ocpp';
import type { WebSocket } from 'ws';
import type { ConnectionEnd } from './close-reason';
import type { ClientAuthorization } from './client-authorization';
import type { Traffic } from './traffic';

/** The answer to one CALL of the charger, at its place in the order of the CALLs. */
export interface AnswerSlot {
  readonly ref: MessageRef;
  /** Undefined while the CALL is processed; '' for one without an answer. */
  answer: string | undefined;
  /** Monotonic milliseconds of the receipt. */
  readonly sinceMs: number;
  /** Gets the time until the answer is sent. */
  readonly answered: Distribution;
  /** The number of times that it is sent: a repeat that arrives during processing is answered too (rule 28). */
  times: number;
}

/** What services/push found out for a CALL, for its envelope. */
export interface Findings {
  /** Undefined: no endpoint applies to the charger. */
  readonly authorization: EnvelopeAuthorization | undefined;
  readonly certificates?: CertificateFinding | undefined;
}

/** A frame of a charger whose publication waits for services/push: its own question, or that of a CALL before it. */
export interface WaitingCall {
  /** The tag that its own CALL asks about. */
  readonly question: TagQuestion | undefined;
  /** What its own CALL asks about certificates. */
  readonly certificateQuestion: CertificateQuestion | undefined;
  readonly receivedAt: Date;
  /** Monotonic milliseconds after which it is given up; Infinity for a frame that needs no answer. */
  readonly expiresAtMs: number;
  readonly publish: (findings: Findings) => void;
  /** It is given up: the charger gets an error. */
  readonly expire: () => void;
  /** The socket has closed before its verdict came: nothing is published. */
  readonly drop: () => void;
}

/** One charger's open socket and its state. It has no behaviour of its own. */
export interface Connection {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly connectionId: string;
  /** Greater than that of every earlier connection of this charger. */
  readonly order: number;
  readonly version: string;
  readonly protocol: Protocol;
  readonly partition: number;
  readonly compatibility: Compatibility;
  /** Those of the handshake itself, reported with the first `connected`. */
  readonly deviations: readonly string[];
  readonly peer: string;
  /** The security profile that the admission verified. Undefined with a charger-state that does not report it. */
  readonly securityProfile: SecurityProfile | undefined;
  readonly connectedAt: Date;
  /** The client certificate, where a configured authority issued it. */
  readonly certificate: CertificateIdentity | undefined;
  readonly socket: WebSocket;
  readonly replay: Replay;
  readonly calls: CallQueue;
  /** Counts the reports of this connection. */
  seq: number;
  /** The gateway's id in a `connected` that the broker has not confirmed: a second one would only lengthen the queue. */
  announcedAs: string | undefined;
  /** Answers in the order of their CALLs (rule 23); complete ones at the head are sent at once. */
  readonly answers: AnswerSlot[];
  /** `seq` when our last CALL was sent: later reports may result from it. */
  sentAfter: number;
  /** The text of the charger's last CALLRESULT or CALLERROR, for the outcome of the CALL. */
  lastResult: string;
  /** The ids of its transactions in progress. Undefined where charger-state did not say them at the admission. */
  readonly transactions: Set<string> | undefined;
  /** Real-time authorization of the charger's client. Undefined with a charger-state that does not name the client. */
  readonly authorization: ClientAuthorization | undefined;
  /** Frames behind a CALL whose tag is being judged, that CALL first. Undefined while none is. */
  awaitingVerdict: WaitingCall[] | undefined;
  /** Which of its CALLs are accepted, where its version asks for a boot first (rules 121 and 122). */
  boot: BootStatus;
  /** Actions that CALLs of ours asked for: accepted whatever `boot` is. */
  readonly solicited: Set<string>;
  badFramesInARow: number;
  /** The gateway does not read from its socket: `reading.ts` has why. */
  paused: boolean;
  /** The charger exceeds its rate limit. */
  rateLimited: boolean;
  /** The unconfirmed reports of all chargers exceed their limit. */
  backpressured: boolean;
  readonly traffic: Traffic;
  /** Masks secrets in this charger's reports. */
  readonly masker: Masker;
  readonly liveness: { nextPingMs: number; awaitingPong: boolean };
  /** The reason of its end, where the gateway or a failure ends it. Undefined where the charger does. */
  end: ConnectionEnd | undefined;
  closed: boolean;
}

/** The sequence number of the next report of a connection. */
export function nextSeq(connection: Connection): number {
  connection.seq += 1;
  return connection.seq;
}
