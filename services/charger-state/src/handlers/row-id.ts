import { createHash } from 'node:crypto';
import type { ReportEnvelope } from '@busbar/contracts';
import { contentId } from '@busbar/core';
import { parseTimestamp } from '@busbar/ocpp';

/**
 * The key of a row that a charger may send again under a new message id: made of incarnation, action and payload where the
 * payload carries its own time (`timestamp`), so that the second sending meets the first one's row. Without a time two
 * equal messages are two facts, and the envelope's id keys them.
 *
 * It begins with the charger's time: keys of rows that come together lie together in the store's index, where those of a
 * bare hash would touch a page each.
 */
export function contentRowId(
  report: Omit<ReportEnvelope, 'payload'>,
  payload: unknown,
  timestamp: string | undefined,
): string {
  if (timestamp === undefined) return report.id;
  const ms = parseTimestamp(timestamp)?.instant.getTime() ?? 0;
  return contentId(ms, digestOf([report.incarnationId, report.action, JSON.stringify(payload)]).toString('hex'));
}

/** 128 bits of SHA-256 over the parts, as base64url (22 characters). */
export function hashOf(...parts: readonly string[]): string {
  return digestOf(parts).toString('base64url');
}

function digestOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16);
}
