// Command requests of both HTTP APIs.
import type { ErrorCode } from '@busbar/core';
import type { ApiKey } from '@busbar/domain/clients';
import type {
  CallChargerDeps,
  ChargerCommand,
  ChargerOwner,
  Encode,
  StopTransactionDeps,
  TagCheckDeps,
} from '@busbar/domain/commands';

export type CommandDeps = CallChargerDeps &
  TagCheckDeps &
  StopTransactionDeps & {
    /** Default seconds that a command waits for the charger's response. */
    readonly commandTimeoutS: number;
  };

/** The parts of a request that its command needs. */
export interface CommandRequest {
  readonly auth: ApiKey;
  readonly requestId: string;
  readonly params: { readonly chargerId: string };
  readonly query: { readonly timeoutS?: number | undefined };
}

/** The errors of every command: an invalid charger id, and those of `callCharger`. */
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

/** The command of a request, with the caller's timeout or the default. */
export function commandOf<Answer>(
  { commandTimeoutS }: Pick<CommandDeps, 'commandTimeoutS'>,
  { auth, requestId, query }: Omit<CommandRequest, 'params'>,
  encode: Encode<Answer>,
): ChargerCommand<Answer> {
  return { encode, timeoutMs: (query.timeoutS ?? commandTimeoutS) * 1000, requestedBy: auth.keyId, requestId };
}
