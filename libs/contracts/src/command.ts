/** A CALL for a charger, sent to the gateway that has it. */
export interface CommandRequest {
  readonly commandId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the charger may take once the CALL is sent, in milliseconds; it waits in the gateway's line no longer than that. */
  readonly timeoutMs: number;
}

export type CommandAnswer =
  | { readonly outcome: 'answered'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'error'; readonly code: string; readonly description: string }
  | { readonly outcome: 'invalid_answer'; readonly description: string }
  | { readonly outcome: 'timeout' }
  | { readonly outcome: 'disconnected' }
  | { readonly outcome: 'not_here' }
  | { readonly outcome: 'busy' };
