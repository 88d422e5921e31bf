/** A CALL for a charger, sent to the gateway that has it. */
export interface CommandRequest {
  /** `COMMAND_VERSION` of the sender. */
  readonly v: number;
  readonly commandId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the charger may take once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** How long it may wait in the gateway's line before that; absent: the gateway's own bound. */
  readonly waitMs?: number;
  /** Of the request that the command came by, for logs. */
  readonly requestId?: string;
}

export type CommandAnswer =
  | { readonly outcome: 'answered'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'error'; readonly code: string; readonly description: string }
  | { readonly outcome: 'invalid_answer'; readonly description: string }
  | { readonly outcome: 'timeout' }
  | { readonly outcome: 'disconnected' }
  | { readonly outcome: 'not_here' }
  /** The gateway is older than the command; nothing was sent to the charger. */
  | { readonly outcome: 'unsupported_version' }
  | { readonly outcome: 'busy' };
