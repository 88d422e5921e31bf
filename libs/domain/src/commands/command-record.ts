// A command sent to a charger through an API, and its end: stored for a day.
import type { ErrorCode } from '@busbar/core';
import type { Timestamp } from '../timestamp';

/** `unknown`: the process that waited for the end has stopped. An error code is that of the caller's error. */
export type CommandOutcome = 'in_progress' | 'answered' | 'unknown' | ErrorCode;

export interface CommandRecord {
  readonly commandId: string;
  readonly clientId: string;
  readonly chargerId: string;
  /** The service's name of the operation, such as `startCharging`; for a raw call the OCPP action. */
  readonly operation: string;
  readonly requestedAt: Timestamp;
  /** The id of the API key. */
  readonly requestedBy: string;
  readonly requestId: string;
  /** The command's input as JSON, secrets masked, bounded; for a raw call its payload. */
  readonly request?: string;
  /** The UTF-8 length of the whole text, where `request` is shortened. */
  readonly requestBytes?: number;
  readonly outcome: CommandOutcome;
  /** JSON, secrets masked; as text, since the store does not accept every field name. Null: none. */
  readonly response: string | null;
  readonly completedAt: Timestamp | null;
}

export type CommandEnd = Pick<CommandRecord, 'outcome' | 'response' | 'completedAt'>;

export interface CommandReader {
  /** A command of any client. */
  find(commandId: string): Promise<CommandRecord | undefined>;
}

export interface CommandWriter {
  /** With one command of 32 on average, deletes the charger's oldest beyond `maxPerCharger`. */
  begin(command: CommandRecord, maxPerCharger: number): Promise<void>;
  complete(commandId: string, end: CommandEnd): Promise<void>;
}
