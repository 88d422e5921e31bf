// Publishes everything that leaves the gateway for charger-state: one outbox for each partition, and a limit on unconfirmed
// reports, above which the gateway applies backpressure.
import type { Broker } from '@busbar/broker';
import { AUTHORIZED_REPORT_VERSION, REPORT_KINDS, type ReportEnvelope, type ReportKind } from '@busbar/contracts';
import { backoff, createIdSource, createOutageReporter, type Clock, type Logger } from '@busbar/core';
import { nextSeq, type Connection } from '../connection/connection';
import type { GatewayLimits } from '../limits';
import type { PublishResult, ReportFields, ReportPublisher } from '../connection/report-publisher';
import { charactersOf, createOutbox, type Outbox } from './outbox';

export interface PublisherDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly partitions: number;
  readonly limits: GatewayLimits;
  readonly gatewayId: () => string;
  /** True: the unconfirmed reports exceed their limit. False: they are below half of it again. */
  readonly onBackpressure: (isOn: boolean) => void;
  /** Called for each deviation in a report. */
  readonly onDeviation?: (kind: string) => void;
  /** Called for each report that was given up because the broker can never accept it. */
  readonly onUnsendable?: (kind: ReportKind) => void;
}

export interface Publisher extends ReportPublisher {
  /**
   * The id of the report that is published next, made from the time of its receipt: the log is filtered by it. Ids sort in
   * the order of receipt, also within a millisecond.
   */
  nextId(receivedAt: Date): string;
  /** The id of this gateway in reports from now on. */
  gatewayId(): string;
  unconfirmed(): number;
  /** The time for which the broker has not accepted reports; 0 while it does. */
  failingSeconds(): number;
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
    began: 'the broker does not accept reports; they are queued',
    ended: 'the broker accepts reports again',
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
          'a report was given up: the broker can never accept it',
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

  function release(connection: Connection, size: number, result: PublishResult): void {
    count -= 1;
    bytes -= size;
    if (result === 'confirmed') {
      confirmed += 1;
      if (outages.active()) outages.clear(String(connection.partition));
    }
    if (backpressured && count < limits.maxUnconfirmed / 2 && bytes < limits.maxUnconfirmedCharacters / 2) {
      backpressured = false;
      deps.onBackpressure(false);
    }
    if (count === 0) drained?.();
  }

  return {
    publish(connection, kind, fields, done) {
      const { holdMs } = fields;
      const report = envelopeOf(envelopeDeps, connection, kind, fields);
      for (const deviation of fields.deviations ?? NONE) deps.onDeviation?.(deviation);
      const size = charactersOf(report);
      count += 1;
      bytes += size;
      if (!backpressured && (count >= limits.maxUnconfirmed || bytes >= limits.maxUnconfirmedCharacters)) {
        backpressured = true;
        deps.onBackpressure(true);
      }
      outboxOf(outboxes, connection).push({
        report,
        expiresAtMs: holdMs === undefined ? Infinity : clock.monotonicMs() + holdMs,
        done(result) {
          release(connection, size, result);
          done(result);
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
      if (count > 0) logger.error({ unconfirmed: count }, 'stopping with reports that the broker did not confirm');
    },
    stop() {
      timer.cancel();
      for (const outbox of outboxes) outbox.close();
    },
  };
}

type Draft = { -readonly [Field in keyof ReportEnvelope]: ReportEnvelope[Field] };

/** Without spreading, which costs more than all the rest: this runs for every message. */
function envelopeOf(
  { clock, gatewayId, nextId }: Pick<PublisherDeps, 'clock' | 'gatewayId'> & Pick<Publisher, 'nextId'>,
  connection: Connection,
  kind: ReportKind,
  fields: ReportFields,
): ReportEnvelope {
  const receivedAt = fields.receivedAt ?? clock.now();
  const report: Draft = {
    v: REPORT_KINDS[kind],
    id: fields.id ?? nextId(receivedAt),
    kind,
    chargerId: connection.chargerId,
    incarnationId: connection.incarnationId,
    connectionId: connection.connectionId,
    gatewayId: gatewayId(),
    order: connection.order,
    seq: nextSeq(connection),
    ocppVersion: connection.version,
    receivedAt: receivedAt.toISOString(),
    action: fields.action,
    messageId: fields.messageId,
    payload: fields.payload,
    raw: fields.raw,
  };
  addFrameFields(report, fields);
  if (fields.request !== undefined) report.request = fields.request;
  if (fields.commandId !== undefined) report.commandId = fields.commandId;
  if (fields.requestId !== undefined) report.requestId = fields.requestId;
  if (fields.sentAfter !== undefined) report.sentAfter = fields.sentAfter;
  if (fields.pendingStart !== undefined) report.pendingStart = fields.pendingStart;
  if (fields.authorization !== undefined) {
    report.v = AUTHORIZED_REPORT_VERSION;
    report.authorization = fields.authorization;
  }
  if (fields.answer !== undefined) report.answer = fields.answer;
  if (fields.replyTo !== undefined) report.replyTo = fields.replyTo;
  if (fields.deadline !== undefined) report.deadline = fields.deadline;
  return report;
}

/** Fields of oversized, repaired, deviating and traced frames, and of those about certificates, only. */
function addFrameFields(report: Draft, fields: ReportFields): void {
  if (fields.traceparent !== undefined) report.traceparent = fields.traceparent;
  if (fields.certificates !== undefined) report.certificates = fields.certificates;
  if (fields.rawBytes !== undefined) report.rawBytes = fields.rawBytes;
  if (fields.repaired === true) report.repaired = true;
  if (fields.unanswered === true) report.unanswered = true;
  if (fields.deviations !== undefined) report.deviations = fields.deviations;
}

function outboxOf(outboxes: readonly Outbox[], connection: Connection): Outbox {
  const outbox = outboxes[connection.partition];
  if (outbox === undefined) throw new Error(`there is no partition ${String(connection.partition)}`);
  return outbox;
}
