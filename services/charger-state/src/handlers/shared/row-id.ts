import { hash } from 'node:crypto';
import type { ReportEnvelope } from '@busbar/contracts';
import { contentId } from '@busbar/core';

/**
 * The key of a row that a charger may send again under a new message id. Where the payload carries its own time
 * (`timestamp`), the key is made of incarnation, action and payload: the second sending meets the first one's row.
 * Without a time two equal messages are two facts, and the envelope's id keys them.
 *
 * It begins with the charger's time, `statedMs`, so that keys of rows of one time are adjacent in the store's index. Keys
 * of a bare hash would touch a page each. See `statedMsOf`; one that cannot be read counts as 0.
 */
export function contentRowId(
  report: Omit<ReportEnvelope, 'payload'>,
  payload: unknown,
  statedMs: number | undefined,
): string {
  if (statedMs === undefined) return report.id;
  const digest = hash('sha256', `${report.incarnationId}\n${report.action}\n${JSON.stringify(payload)}`);
  return timedRowId(statedMs, digest);
}

/** The key of a row with this content, by the charger's time. */
export function timedRowId(statedMs: number, digest: string): string {
  return contentId(Number.isNaN(statedMs) ? 0 : statedMs, digest);
}

/** 128 bits of SHA-256 over the parts, as base64url (22 characters). */
export function hashOf(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'buffer').subarray(0, 16).toString('base64url');
}
