// What a request for a command has in common, whichever generation of the HTTP interface it came by.
import type { ErrorCode } from '@busbar/core';
import type { ApiKey } from '@busbar/domain/clients';
import type { CallChargerDeps, ChargerCommand, ChargerOwner, Encode } from '@busbar/domain/commands';
import type { JudgeTagDeps } from '@busbar/domain/tags';
import type { StopTransactionDeps } from '@busbar/domain/commands';

export type CommandDeps = CallChargerDeps &
  JudgeTagDeps &
  StopTransactionDeps & {
    /** How long a charger may take when the caller says nothing else. */
    readonly commandTimeoutS: number;
  };

/** What is needed of a request to send its command. */
export interface CommandRequest {
  readonly auth: ApiKey;
  readonly requestId: string;
  readonly params: { readonly chargerId: string };
  readonly query: { readonly timeoutS?: number | undefined };
}

/** How any command may fail: with a charger id that is none, and as `callCharger` says. */
export const COMMAND_ERRORS = [
  'invalid_charger_id',
  'not_found',
  'charger_offline',
  'not_supported_by_version',
  'charger_error',
  'charger_invalid_answer',
  'charger_disconnected',
  'charger_busy',
  'charger_timeout',
] as const satisfies readonly ErrorCode[];

export function ownerOf({ auth, params }: CommandRequest): ChargerOwner {
  return { clientId: auth.clientId, chargerId: params.chargerId };
}

/** The command with the time that the caller gives it, or else the service's own. */
export function commandOf<Answer>(
  { commandTimeoutS }: Pick<CommandDeps, 'commandTimeoutS'>,
  { auth, requestId, query }: CommandRequest,
  encode: Encode<Answer>,
): ChargerCommand<Answer> {
  return { encode, timeoutMs: (query.timeoutS ?? commandTimeoutS) * 1000, requestedBy: auth.keyId, requestId };
}
