import { createHash } from 'node:crypto';
import type { ReportEnvelope } from '@busbar/contracts';

/**
 * The key of a row that a charger may send again under a new message id: a hash of incarnation, action and payload where
 * the payload carries its own time, so that the second sending meets the first one's row. Without a time two equal
 * messages are two facts, and the envelope's id keys them.
 */
export function contentRowId(report: Omit<ReportEnvelope, 'payload'>, payload: unknown, hasTime: boolean): string {
  if (!hasTime) return report.id;
  return hashOf(report.incarnationId, report.action, JSON.stringify(payload));
}

/** 128 bits of SHA-256 over the parts, as base64url (22 characters). */
export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16).toString('base64url');
}
