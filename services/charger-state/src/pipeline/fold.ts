// Folds one message into one charger's record. Pure, and gives the same result when repeated.
import type { CallOutcome, ReportEnvelope } from '@busbar/contracts';
import { ownStateOf, socketTally, type Charger, type ChargerReports, type Deviation } from '@busbar/domain/chargers';
import { type LogRow } from '@busbar/domain/history';
import { storedFrame, NO_DEVIATIONS, serializeResult, type StoredFrame } from '@busbar/ocpp';
import { outcomeName } from '../feed/command-outcome';
import { emitConnection, emitState } from '../feed/connection-events';
import { isAfter, type Applied, type CallPayload, type Handled, type HandlerContext, type Router } from './contract';
import { applyPosition } from './positions';
import { addConnectionRows } from './connection-history';
import { foldConnected, foldDisconnected } from './fold-connection';

export interface FoldSettings {
  readonly route: Router;
  readonly heartbeatIntervalS: number;
  readonly maxStartsPerDay?: number;
  readonly maxClientStartsPerDay?: number;
  readonly isDeadGateway: (gatewayId: string) => boolean;
  /** For the log only: no rule depends on it. */
  readonly now: () => Date;
}

export type Folded = Omit<Applied, 'report' | 'charger'> & { readonly charger: Charger };

/** More kinds than the gateway and the handlers know together. */
const MAX_DEVIATIONS = 50;

/** The record after this message, its rows (appended to the context's) and its answer. `report` must be of this incarnation. */
export function fold(
  charger: Charger,
  report: ReportEnvelope,
  context: HandlerContext,
  settings: FoldSettings,
): Folded {
  const handled = handle(charger, report, context, settings);
  const raw = storedFrame(report.raw, report.rawBytes);
  if (report.raw !== '' || report.request !== undefined) {
    context.rows.log.push(logRow(charger, { report, raw, answer: handled.answer }, settings.now()));
  }
  const applied = applyPosition(charger.applied, context.position);
  const answer = handled.answer === undefined ? {} : { answer: handled.answer };
  if (applied === undefined) {
    if (report.replayed === true && context.events.acceptReplayed(charger, report, 'rows')) {
      return { charger: withStartsOf(charger, handled.charger), isNew: false, ...answer };
    }
    context.events.drop();
    return { charger, isNew: false, ...answer };
  }
  const current = withDerivedState(charger, handled.charger);
  const reported = withDeviations(withLastMessage(current, { report, raw, context }), report, handled.deviations);
  // One copy for every message, not three.
  const after = { ...handled.charger, reported, applied };
  emitState(context.events.emit, charger, after);
  if (report.replayed === true) context.events.acceptReplayed(charger, report, 'all');
  else context.events.accept(charger, report.receivedAt);
  const { deviations = NO_DEVIATIONS } = handled;
  const { startRefused, isRepeat } = handled;
  return {
    charger: after,
    isNew: true,
    ...answer,
    ...(deviations.length > 0 ? { deviations } : {}),
    ...(startRefused === undefined ? {} : { startRefused }),
    ...(isRepeat === undefined ? {} : { isRepeat }),
  };
}

/**
 * Another object, so that it is stored with its events. The count of starts makes no second event where the charger sends a replayed
 * start again.
 */
function withStartsOf(charger: Charger, { reported: { starts } }: Charger): Charger {
  return starts === undefined ? { ...charger } : { ...charger, reported: { ...charger.reported, starts } };
}

function handle(charger: Charger, report: ReportEnvelope, context: HandlerContext, settings: FoldSettings): Handled {
  switch (report.kind) {
    case 'connected':
    case 'disconnected':
      return { charger: handleConnection(charger, report, context, settings) };
    case 'log_only':
    case 'nudge':
      return { charger };
    case 'report':
    case 'decision':
      return settings.route(report)?.apply(charger, report, context) ?? { charger };
    case 'outcome': {
      const handled = settings.route(report)?.apply(charger, report, context) ?? { charger };
      emitCompleted(report, context);
      return handled;
    }
  }
}

function emitCompleted({ action, commandId, payload }: ReportEnvelope, { events }: HandlerContext): void {
  const outcome = outcomeName(payload as CallOutcome);
  events.emit('command.completed', { commandId: commandId ?? null, operation: action, outcome });
}

function handleConnection(
  charger: Charger,
  report: ReportEnvelope,
  { rows, events }: HandlerContext,
  { isDeadGateway }: FoldSettings,
): Charger {
  const isOpening = report.kind === 'connected';
  const after = isOpening ? foldConnected(charger, report, isDeadGateway) : foldDisconnected(charger, report);
  addConnectionRows(rows, report, { before: charger, after }, isDeadGateway);
  emitConnection(events.emit, charger, after);
  return after;
}

/**
 * Recomputes what lists and statistics filter by, where a status changed. A change of sockets by the owner writes the tally
 * itself.
 */
function withDerivedState(before: Charger, after: Charger): ChargerReports {
  const { reported } = after;
  if (reported.status === before.reported.status && reported.sockets === before.reported.sockets) return reported;
  return { ...reported, ownState: ownStateOf(reported), tally: socketTally(after) };
}

/** Every frame updates `lastSeen` (rule 20); a connection event is no frame. */
function withLastMessage(
  reported: ChargerReports,
  { report, raw, context }: { report: ReportEnvelope; raw: StoredFrame; context: HandlerContext },
): ChargerReports {
  const { position } = context;
  if (report.raw === '' || !isAfter(position, reported.lastPosition)) return reported;
  const { lastMessageBytes } = reported;
  const receivedNow = { ...reported, lastSeen: report.receivedAt, lastMessage: raw.text, lastPosition: position };
  // Most frames are not shortened, and the field is absent.
  const bytes = raw.bytes ?? null;
  return bytes === (lastMessageBytes ?? null) ? receivedNow : { ...receivedNow, lastMessageBytes: bytes };
}

function withDeviations(
  reported: ChargerReports,
  report: ReportEnvelope,
  more: readonly string[] = NO_DEVIATIONS,
): ChargerReports {
  const { deviations: found = NO_DEVIATIONS } = report;
  if (found.length + more.length === 0) return reported;
  const deviations: Record<string, Deviation> = { ...reported.deviations };
  for (const kind of [...found, ...more]) {
    if (deviations[kind] === undefined && Object.keys(deviations).length >= MAX_DEVIATIONS) continue;
    deviations[kind] = { count: (deviations[kind]?.count ?? 0) + 1, lastAt: report.receivedAt };
  }
  return { ...reported, deviations };
}

interface Exchange {
  readonly report: ReportEnvelope;
  /** The charger's frame. */
  readonly raw: StoredFrame;
  readonly answer: CallPayload | undefined;
}

function logRow(charger: Charger, { report, raw, answer }: Exchange, now: Date): LogRow {
  const ours = report.kind === 'outcome';
  const request = ours ? storedFrame(report.request ?? '') : raw;
  // Answers of the service are never large.
  const response: StoredFrame = ours ? raw : { text: answerText(report, answer) };
  // The clocks of two machines may differ.
  const tookMs = Math.max(0, now.getTime() - Date.parse(report.receivedAt));
  const row: { -readonly [Field in keyof LogRow]: LogRow[Field] } = {
    rowId: report.id,
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    ocppVersion: report.ocppVersion,
    action: report.action,
    messageId: report.messageId,
    source: ours ? 'service' : 'charger',
    at: report.receivedAt,
    request: request.text,
    response: response.text,
  };
  // Without spreading: this runs for every message.
  if (!ours) row.tookMs = tookMs;
  if (request.bytes !== undefined) row.requestBytes = request.bytes;
  if (response.bytes !== undefined) row.responseBytes = response.bytes;
  if (report.requestId !== undefined) row.requestId = report.requestId;
  if (report.commandId !== undefined) row.commandId = report.commandId;
  return row;
}

/** The gateway's own answer comes with the report; a decision's answer is the handler's. */
function answerText(report: ReportEnvelope, answer: CallPayload | undefined): string {
  if (report.answer !== undefined || answer === undefined) return report.answer ?? '';
  const numericId = report.deviations?.includes('numeric_message_id') ?? false;
  return serializeResult({ id: report.messageId, numericId }, answer);
}
