import { oversize, storedFrame, type DeviationKind } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';
import type { VerdictQueue } from './verdict-queue';

/** The limit for an id that is not a CALL's, in the log. */
export const MAX_STORED_ID = 255;

export interface LogOnlyDeps {
  readonly verdicts: Pick<VerdictQueue, 'publish'>;
  readonly holdMs: number;
}

/** Publishes a frame that only goes to the log. */
export function logOnly(
  deps: LogOnlyDeps,
  connection: Connection,
  logged: {
    readonly raw: string;
    readonly messageId: string;
    readonly action: string;
    readonly answer?: string;
    readonly deviations?: readonly DeviationKind[];
  },
): void {
  const { text, bytes } = storedFrame(connection.masker.frame(logged.raw), oversize(logged.raw));
  const fields = { ...logged, raw: text, rawBytes: bytes, payload: null, holdMs: deps.holdMs };
  deps.verdicts.publish(connection, { kind: 'log_only', fields, done: () => undefined });
}
