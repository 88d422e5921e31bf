// Holds a CALL until services/push has judged its tag or checked its certificates, and the charger's frames behind it, so that reports
// keep the order received. Other chargers wait for nothing.
import type { CertificateQuestion, ReportKind } from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import type { TagQuestion } from '@busbar/ocpp';
import { pauseAtTooManyOpen, resumeReading } from '../connection/reading';
import type { Connection, Findings, WaitingCall } from '../connection/connection';
import type { PublishResult, ReportFields } from '../connection/report-publisher';
import { createAuthorizer, type AuthorizerDeps } from './authorizer';
import { createCertificateChecker } from './certificate-checker';
import type { Publisher } from './publisher';

export interface VerdictQueueDeps extends AuthorizerDeps {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: Logger;
  /** The time that a call is held for its verdict and for an unavailable broker (rule 69). */
  readonly holdMs: number;
}

export interface Publication {
  readonly kind: ReportKind;
  readonly fields: ReportFields;
  readonly done: (result: PublishResult) => void;
  /** The tag that must be judged first. */
  readonly question?: TagQuestion | undefined;
  /** What must be found out about certificates first. */
  readonly certificateQuestion?: CertificateQuestion | undefined;
  /** The socket has closed before the verdict: nothing is published. */
  readonly drop?: () => void;
}

export type VerdictQueue = ReturnType<typeof createVerdictQueue>;

/** What charger-state needs to answer a decision, of the time that a CALL is held. */
const DECISION_MS = 1_000;
const UNASKED: Findings = { authorization: undefined };

export function createVerdictQueue(deps: VerdictQueueDeps) {
  const { publisher, clock, logger, holdMs } = deps;
  const authorizer = createAuthorizer(deps);
  const checkCertificates = createCertificateChecker(deps.broker);

  /** Publishes from the head on, up to a CALL whose tag must be asked about. */
  function advance(connection: Connection, queue: WaitingCall[]): void {
    for (let head = queue[0]; head !== undefined; head = queue[0]) {
      const known = isExpired(head) ? UNASKED : knownOf(connection, head);
      if (known === undefined) {
        ask(connection, queue, head);
        return;
      }
      queue.shift();
      end(connection, head, known);
    }
    connection.awaitingVerdict = undefined;
    resumeReading(connection);
  }

  function knownOf(connection: Connection, call: WaitingCall): Findings | undefined {
    return call.certificateQuestion === undefined ? knownVerdictOf(connection, call) : undefined;
  }

  function knownVerdictOf(connection: Connection, { question, receivedAt }: WaitingCall): Findings | undefined {
    return question === undefined ? UNASKED : authorizer.known(connection, question, receivedAt);
  }

  function isExpired({ expiresAtMs }: WaitingCall): boolean {
    return expiresAtMs <= clock.monotonicMs();
  }

  /** The boundary for defects, as of a frame that waits for nothing. */
  function end({ chargerId, connectionId }: Connection, call: WaitingCall, findings: Findings): void {
    try {
      if (isExpired(call)) call.expire();
      else call.publish(findings);
    } catch (error) {
      logger.error({ err: error, chargerId, connectionId }, 'publishing a frame after a verdict failed');
    }
  }

  function ask(connection: Connection, queue: WaitingCall[], head: WaitingCall): void {
    void findingsOf(connection, head).then((findings) => {
      // The socket has closed meanwhile.
      if (connection.awaitingVerdict !== queue) return;
      queue.shift();
      end(connection, head, findings);
      advance(connection, queue);
    });
  }

  /** Never rejects. */
  async function findingsOf(connection: Connection, call: WaitingCall): Promise<Findings> {
    const { question, certificateQuestion, expiresAtMs } = call;
    const withinMs = expiresAtMs - clock.monotonicMs() - DECISION_MS;
    const [{ authorization }, certificates] = await Promise.all([
      knownVerdictOf(connection, call) ?? (question ? authorizer.ask(connection, question, withinMs) : UNASKED),
      certificateQuestion && checkCertificates(connection, certificateQuestion, withinMs),
    ]);
    return { authorization, certificates };
  }

  function waitingCall(connection: Connection, publication: Publication): WaitingCall {
    const { kind, fields, done, question, certificateQuestion, drop = () => undefined } = publication;
    const expiresAtMs = clock.monotonicMs() + holdMs;
    const receivedAt = fields.receivedAt ?? clock.now();
    return {
      question,
      certificateQuestion,
      receivedAt,
      expiresAtMs,
      publish(findings) {
        const left = expiresAtMs - clock.monotonicMs();
        publisher.publish(connection, kind, { ...fields, ...findings, receivedAt, holdMs: left }, done);
      },
      expire: () => done('expired'),
      drop,
    };
  }

  return {
    /** Publishes a frame in its turn: now, unless a verdict must come first. */
    publish(connection: Connection, publication: Publication): void {
      const { kind, fields, done, question, certificateQuestion } = publication;
      const queue = connection.awaitingVerdict;
      if (question === undefined && certificateQuestion === undefined && queue === undefined) {
        publisher.publish(connection, kind, fields, done);
        return;
      }
      const call = waitingCall(connection, publication);
      if (queue !== undefined) {
        queue.push(call);
        pauseAtTooManyOpen(connection);
        return;
      }
      connection.awaitingVerdict = [call];
      advance(connection, connection.awaitingVerdict);
    },

    /**
     * The socket has closed. A CALL without a verdict is not published: it was not answered, and the charger sends a start again. The
     * frames behind it are published as ever.
     */
    ended(connection: Connection): void {
      const queue = connection.awaitingVerdict;
      if (queue === undefined) return;
      connection.awaitingVerdict = undefined;
      for (const call of queue) {
        const known = knownOf(connection, call);
        if (known === undefined) call.drop();
        else end(connection, call, known);
      }
    },
  };
}
