// Everything that leaves the gateway for charger-state: a line for each partition, and the bound on what is unconfirmed.
import type { Broker } from '@busbar/broker';
import { REPORT_VERSION, type ReportEnvelope, type ReportKind } from '@busbar/contracts';
import { backoff, createIdSource, createOutageReporter, type Clock, type Logger } from '@busbar/core';
import { nextSeq, type Connection } from '../connection/connection';
import type { GatewayLimits } from '../limits';
import { charactersOf, createOutbox, type Outbox, type Settled } from './outbox';

export interface PublisherDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly partitions: number;
  readonly limits: GatewayLimits;
  readonly gatewayId: () => string;
  /** Too much is unconfirmed (true), or it has gone down again (false). */
  readonly onPressure: (tooMuch: boolean) => void;
  /** Told of each deviation that leaves for its charger's record. */
  readonly onDeviation?: (kind: string) => void;
  /** Told of each report that was given up because the broker can never take it. */
  readonly onUnsendable?: (kind: ReportKind) => void;
}

/** What is particular to one thing published; the rest comes from the connection. */
export type ReportPart = Pick<ReportEnvelope, 'action' | 'messageId' | 'payload' | 'raw'> &
  Partial<
    Pick<
      ReportEnvelope,
      'id' | 'request' | 'commandId' | 'requestId' | 'sentAfter' | 'answer' | 'replyTo' | 'deadline' | 'detail'
    >
  > & {
    readonly rawBytes?: ReportEnvelope['rawBytes'] | undefined;
    readonly deviations?: ReportEnvelope['deviations'] | undefined;
    readonly pendingStart?: ReportEnvelope['pendingStart'] | undefined;
    readonly repaired?: true | undefined;
  };

export interface Publisher {
  /**
   * Puts it in its charger's line, last. `holdMs`: how long it may wait for the broker before it is given up; absent, it is
   * never given up.
   */
  publish(
    connection: Connection,
    kind: ReportKind,
    part: ReportPart & { readonly receivedAt?: Date; readonly holdMs?: number },
    done: (settled: Settled) => void,
  ): void;
  /**
   * For what is published next, with the time of its receipt: the log is filtered by it. Ids sort as the messages came, also
   * those of one millisecond.
   */
  nextId(receivedAt: Date): string;
  /** Under which what is published from now on names this gateway. */
  gatewayId(): string;
  unconfirmed(): number;
  /** Confirmed since the start. */
  confirmed(): number;
  /** For how long the broker has not taken what it was given; 0 while it does. */
  failingSeconds(): number;
  failing(): boolean;
  retryNow(): void;
  /** Resolves when everything is confirmed, at the latest after `withinMs`. */
  drain(withinMs: number): Promise<void>;
  stop(): void;
}

const EXPIRE_EVERY_MS = 250;
const NONE: readonly string[] = [];

export function createPublisher(deps: PublisherDeps): Publisher {
  const { clock, logger, limits } = deps;
  const ids = createIdSource();
  const nextId = (receivedAt: Date): string => ids(receivedAt.getTime());
  const envelopeDeps = { clock, gatewayId: deps.gatewayId, nextId };
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'the broker does not take reports; they are held',
    ended: 'the broker takes reports again',
  });
  const outboxes = Array.from({ length: deps.partitions }, (_, partition) =>
    createOutbox(partition, {
      broker: deps.broker,
      clock,
      backoff: backoff({ firstMs: 100, maxMs: 2_000 }),
      onFailure: (failure) => outages.report(String(partition), failure),
      onUnsendable({ id, kind, chargerId, connectionId, action }) {
        logger.error(
          { correlationId: id, kind, chargerId, connectionId, action },
          'a report was given up: the broker can never take it',
        );
        deps.onUnsendable?.(kind);
      },
    }),
  );
  let count = 0;
  let bytes = 0;
  let confirmed = 0;
  let backpressured = false;
  let drained: (() => void) | undefined;
  const timer = clock.every(EXPIRE_EVERY_MS, () => {
    const now = clock.monotonicMs();
    for (const outbox of outboxes) outbox.expire(now);
  });

  function settle(connection: Connection, size: number, settled: Settled): void {
    count -= 1;
    bytes -= size;
    if (settled === 'confirmed') {
      confirmed += 1;
      if (outages.active()) outages.clear(String(connection.partition));
    }
    if (backpressured && count < limits.maxUnconfirmed / 2 && bytes < limits.maxUnconfirmedBytes / 2) {
      backpressured = false;
      deps.onPressure(false);
    }
    if (count === 0) drained?.();
  }

  return {
    publish(connection, kind, part, done) {
      const { holdMs } = part;
      const report = envelopeOf(envelopeDeps, connection, kind, part);
      for (const kind of part.deviations ?? NONE) deps.onDeviation?.(kind);
      const size = charactersOf(report);
      count += 1;
      bytes += size;
      if (!backpressured && (count >= limits.maxUnconfirmed || bytes >= limits.maxUnconfirmedBytes)) {
        backpressured = true;
        deps.onPressure(true);
      }
      outboxOf(outboxes, connection).push({
        report,
        expiresAtMs: holdMs === undefined ? Infinity : clock.monotonicMs() + holdMs,
        done(settled) {
          settle(connection, size, settled);
          done(settled);
        },
      });
    },
    nextId,
    gatewayId: deps.gatewayId,
    unconfirmed: () => count,
    confirmed: () => confirmed,
    failingSeconds: outages.seconds,
    failing: outages.active,
    retryNow() {
      for (const outbox of outboxes) outbox.retryNow();
    },
    async drain(withinMs) {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const limit = clock.after(withinMs, resolve);
        drained = () => {
          limit.cancel();
          resolve();
        };
      });
      if (count > 0) logger.error({ unconfirmed: count }, 'left with reports that the broker did not confirm');
    },
    stop() {
      timer.cancel();
      for (const outbox of outboxes) outbox.close();
    },
  };
}

type Draft = { -readonly [Field in keyof ReportEnvelope]: ReportEnvelope[Field] };

/** Field by field: spreading costs more than all the rest, and this runs for every message. */
function envelopeOf(
  { clock, gatewayId, nextId }: Pick<PublisherDeps, 'clock' | 'gatewayId'> & Pick<Publisher, 'nextId'>,
  connection: Connection,
  kind: ReportKind,
  part: ReportPart & { readonly receivedAt?: Date },
): ReportEnvelope {
  const receivedAt = part.receivedAt ?? clock.now();
  const report: Draft = {
    v: REPORT_VERSION,
    id: part.id ?? nextId(receivedAt),
    kind,
    chargerId: connection.chargerId,
    incarnationId: connection.incarnationId,
    connectionId: connection.connectionId,
    gatewayId: gatewayId(),
    order: connection.order,
    seq: nextSeq(connection),
    ocppVersion: connection.version,
    receivedAt: receivedAt.toISOString(),
    action: part.action,
    messageId: part.messageId,
    payload: part.payload,
    raw: part.raw,
  };
  addFrameFacts(report, part);
  if (part.request !== undefined) report.request = part.request;
  if (part.commandId !== undefined) report.commandId = part.commandId;
  if (part.requestId !== undefined) report.requestId = part.requestId;
  if (part.sentAfter !== undefined) report.sentAfter = part.sentAfter;
  if (part.pendingStart !== undefined) report.pendingStart = part.pendingStart;
  if (part.answer !== undefined) report.answer = part.answer;
  if (part.replyTo !== undefined) report.replyTo = part.replyTo;
  if (part.deadline !== undefined) report.deadline = part.deadline;
  if (part.detail !== undefined) report.detail = part.detail;
  return report;
}

/** What is there only for a frame that is not as it should be. */
function addFrameFacts(report: Draft, part: ReportPart): void {
  if (part.rawBytes !== undefined) report.rawBytes = part.rawBytes;
  if (part.repaired === true) report.repaired = true;
  if (part.deviations !== undefined) report.deviations = part.deviations;
}

function outboxOf(outboxes: readonly Outbox[], connection: Connection): Outbox {
  const outbox = outboxes[connection.partition];
  if (outbox === undefined) throw new Error(`there is no partition ${String(connection.partition)}`);
  return outbox;
}
