import type { Compatibility } from '@busbar/contracts';
import type { CertificateIdentity } from '@busbar/http';
import type { CallQueue, Masker, MessageRef, Protocol, Replay } from '@busbar/ocpp';
import type { WebSocket } from 'ws';
import type { Traffic } from './traffic';

/** The answer to one CALL of the charger, in the place that its order gives it. */
export interface AnswerSlot {
  readonly ref: MessageRef;
  /** Undefined while it is worked on; '' for one that stays unanswered. */
  answer: string | undefined;
  /** How often it is sent: a frame that came again while the first was worked on is answered too (rule 28). */
  times: number;
}

/** One charger's open socket and what belongs to it. State only; `inbound`, `outbound` and `liveness` work on it. */
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
  /** Of the handshake itself: told with every `connected`. */
  readonly deviations: readonly string[];
  readonly peer: string;
  /** The client certificate that its TLS showed, where the configured authorities vouch for it. */
  readonly certificate: CertificateIdentity | undefined;
  readonly socket: WebSocket;
  readonly replay: Replay;
  readonly calls: CallQueue;
  /** Counts what this connection published. */
  seq: number;
  /** The gateway's id in a `connected` that is still in the line to the broker: the same again would only lengthen it. */
  announcedAs: string | undefined;
  /** Answers in the order of their CALLs (rule 23); settled ones at the head are sent at once. */
  readonly answers: AnswerSlot[];
  /** What `seq` was when our last CALL was sent: what the charger said since may have come of it. */
  sentAfter: number;
  /** The charger's last CALLRESULT or CALLERROR as it came, for the outcome that it ends. */
  lastResult: string;
  badFramesInARow: number;
  /** Its socket is not read from: `reading.ts` has why. */
  paused: boolean;
  /** Its charger sends faster than it may. */
  rateLimited: boolean;
  /** Too much of all chargers together is unconfirmed. */
  backpressured: boolean;
  readonly traffic: Traffic;
  /** Hides the secrets in what is told of this charger. */
  readonly masker: Masker;
  readonly liveness: { nextPingMs: number; awaitingPong: boolean };
  closed: boolean;
}

/** The position of the next thing published for a connection. */
export function nextSeq(connection: Connection): number {
  connection.seq += 1;
  return connection.seq;
}
