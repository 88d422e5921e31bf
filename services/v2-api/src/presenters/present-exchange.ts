import { parseJson, timeOfId } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { LogRow } from '@busbar/domain/history';

/** A CALL and its response, joined by their message id. */
export function presentExchange(row: LogRow) {
  return {
    messageId: row.messageId,
    ocppVersion: row.ocppVersion,
    messageType: row.action,
    source: row.source,
    ...timesOf(row),
    request: requestOf(row.request),
    response: responseOf(row.response),
    commandId: row.commandId ?? null,
    requestId: row.requestId ?? null,
    ...truncationOf(row),
  };
}

/** The id of a service's CALL has the time of sending. For a charger's CALL the log has receipt and duration. */
function timesOf({ source, messageId, at, tookMs = 0, response }: LogRow) {
  const isAnswered = response !== '';
  if (source === 'charger') {
    return { requestTimestamp: at, responseTimestamp: isAnswered ? later(at, tookMs) : null };
  }
  const sentMs = timeOfId(messageId);
  const requestTimestamp = sentMs === undefined ? at : toTimestamp(new Date(sentMs));
  return { requestTimestamp, responseTimestamp: isAnswered ? at : null };
}

function later(at: Timestamp, ms: number): Timestamp {
  return toTimestamp(new Date(Date.parse(at) + ms));
}

/** Fields of an exchange with a truncated frame. */
function truncationOf({ requestBytes, responseBytes }: LogRow) {
  if (requestBytes === undefined && responseBytes === undefined) return {};
  return {
    truncated: true as const,
    ...(requestBytes === undefined ? {} : { requestBytes }),
    ...(responseBytes === undefined ? {} : { responseBytes }),
  };
}

/** `[2, id, action, payload]` */
function requestOf(text: string): unknown {
  const frame = frameOf(text);
  return frame?.[0] === 2 && frame.length >= 3 ? (frame[3] ?? {}) : nullWhenEmpty(text);
}

/** `[3, id, payload]` or `[4, id, code, description, details]` */
function responseOf(text: string): unknown {
  const frame = frameOf(text);
  if (frame?.[0] === 3) return frame[2] ?? {};
  if (frame?.[0] !== 4) return nullWhenEmpty(text);
  const [, , errorCode, errorDescription, errorDetails] = frame;
  return { errorCode, errorDescription: errorDescription ?? '', errorDetails: errorDetails ?? {} };
}

function nullWhenEmpty(text: string): string | null {
  return text === '' ? null : text;
}

function frameOf(text: string): readonly unknown[] | undefined {
  const frame = parseJson(text);
  return Array.isArray(frame) ? frame : undefined;
}
