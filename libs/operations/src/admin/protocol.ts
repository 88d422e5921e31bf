// Requests and replies of the administration socket.
import { AppError, parseJson } from '@busbar/core';
import type { AdminResult } from './command';

export interface AdminRequest {
  /** The command line, a word each. */
  readonly line: readonly string[];
}

export type AdminReply =
  | ({ readonly ok: true } & AdminResult)
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** The command line is at fault. */
      readonly isMisuse?: boolean;
    };

/** Throws `invalid_request` for anything but `{"line": ["…"]}`. */
export function parseAdminRequest(text: string): AdminRequest {
  const value = parseJson(text);
  if (isRecord(value) && Array.isArray(value['line'])) {
    const line: unknown[] = value['line'];
    const name = line.filter((word) => typeof word === 'string');
    if (name.length === line.length) return { line: name };
  }
  throw new AppError('invalid_request', 'A request is {"line": ["word", …]} on one line.');
}

/** Throws `unavailable` for anything but a reply of this program. */
export function parseAdminReply(text: string): AdminReply {
  const value = parseJson(text);
  if (isRecord(value)) {
    const { ok, code, message, isMisuse, lines, data } = value;
    if (ok === false && typeof code === 'string' && typeof message === 'string')
      return { ok, code, message, isMisuse: isMisuse === true };
    if (ok === true && Array.isArray(lines)) return { ok, lines: lines.map(String), data };
  }
  throw new AppError(
    'unavailable',
    'The reply of the running process is not understood: use the same version as the process.',
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
