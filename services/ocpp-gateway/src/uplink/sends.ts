// Processes what only OCPP 2.1 has: a SEND, which is never answered, and a CALLRESULTERROR, which refuses an answer of ours.
import type { Clock } from '@busbar/core';
import { acceptSend, STRICT, type MessageRef, type ReplayEntry, type SendFrame } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';
import type { ReportPublisher } from '../connection/report-publisher';
import type { GatewayMetrics } from '../gateway-metrics';
import { fieldsOf } from './frame-fields';
import { logOnly, MAX_STORED_ID, type LogOnlyDeps } from './log-only';

export interface SendDeps extends LogOnlyDeps {
  readonly publisher: Pick<ReportPublisher, 'publish'>;
  readonly clock: Clock;
  readonly strict: boolean;
  readonly metrics: Pick<GatewayMetrics, 'droppedSends'>;
}

/**
 * Publishes a SEND as a report. It delays no CALL, and under backpressure it is dropped and counted: nobody would send it
 * again (rule 115).
 */
export function onSend(deps: SendDeps, connection: Connection, frame: SendFrame, text: string): void {
  const accepted = acceptSend(connection.protocol, frame, deps.strict ? STRICT : connection.compatibility);
  if (!accepted.ok) {
    onUnusableSend(deps, connection, text);
    return;
  }
  if (connection.backpressured) {
    deps.metrics.droppedSends.inc({});
    return;
  }
  const deviations = [...frame.deviations, ...accepted.deviations];
  const published = { receivedAt: deps.clock.now(), holdMs: deps.holdMs };
  const sent = { frame, accepted: { ...accepted, deviations }, text };
  const fields = { ...fieldsOf(connection, sent, published), unanswered: true as const };
  deps.publisher.publish(connection, 'report', fields, (result) => {
    if (result !== 'confirmed') deps.metrics.droppedSends.inc({});
  });
}

/** Drops a SEND that is malformed, unknown, or the action of a CALL. */
export function onUnusableSend(deps: SendDeps, connection: Connection, text: string): void {
  logOnly(deps, connection, { raw: text, messageId: '', action: '', deviations: ['unusable_send'] });
}

/** Forgets the answer that the charger refuses, so that its CALL is judged anew if it is repeated (rule 116). */
export function onResultError(deps: LogOnlyDeps, connection: Connection, refused: MessageRef, text: string): void {
  const { id, numericId } = refused;
  const isRefused = (entry: ReplayEntry) =>
    entry.id === id && entry.numericId === numericId && entry.answer !== undefined;
  const isKnown = connection.replay.entries().some(isRefused);
  if (isKnown) connection.replay.forget(refused);
  const logged = { raw: text, messageId: id.slice(0, MAX_STORED_ID), action: '' };
  logOnly(deps, connection, isKnown ? { ...logged, deviations: ['result_refused'] } : logged);
}
