import type { Logger } from '@busbar/core';

export interface LogLine {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface RecordingLogger extends Logger {
  readonly lines: LogLine[];
}

/** Keeps every line for a test to look at. Children write into the same list. */
export function createRecordingLogger(
  bound: Readonly<Record<string, unknown>> = {},
  lines: LogLine[] = [],
): RecordingLogger {
  const at = (level: LogLine['level']) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, fields: { ...bound, ...fields }, message });
  };
  return {
    lines,
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: (fields) => createRecordingLogger({ ...bound, ...fields }, lines),
  };
}
