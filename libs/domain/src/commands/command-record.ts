// A command that somebody gave to a charger through an API, and how it ended: kept for a day.
import type { ErrorCode } from '@busbar/core';
import type { Timestamp } from '../timestamp';

/** `unknown`: the process that waited for the end is gone. Else the code of the error that the caller got. */
export type CommandOutcome = 'in_progress' | 'answered' | 'unknown' | ErrorCode;

export interface CommandRecord {
  readonly commandId: string;
  readonly clientId: string;
  readonly chargerId: string;
  /** In the words of the service, such as `startCharging`; of a raw call the OCPP action. */
  readonly operation: string;
  readonly requestedAt: Timestamp;
  /** The id of the API key. */
  readonly requestedBy: string;
  readonly requestId: string;
  /**
   * What was asked for: JSON, secrets masked, bounded; of a raw call its payload. Absent in records from before this was
   * stored.
   */
  readonly request?: string;
  /** The whole text's UTF-8 bytes, where `request` is shorter than it was. */
  readonly requestBytes?: number;
  readonly outcome: CommandOutcome;
  /** JSON, secrets masked: a charger's field names need not be fit for the store. Null: there is none. */
  readonly response: string | null;
  readonly completedAt: Timestamp | null;
}

export type CommandEnd = Pick<CommandRecord, 'outcome' | 'response' | 'completedAt'>;

export interface CommandReader {
  /** Any client's. */
  find(commandId: string): Promise<CommandRecord | undefined>;
}

export interface CommandWriter {
  /** Deletes one charger's oldest beyond `maxPerCharger`, with one of 32 commands on average. */
  begin(command: CommandRecord, maxPerCharger: number): Promise<void>;
  complete(commandId: string, end: CommandEnd): Promise<void>;
}
