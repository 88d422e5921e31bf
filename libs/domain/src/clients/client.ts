import { AppError } from '@busbar/core';
import type { Timestamp } from '../timestamp';

/** A tenant: owns sites, chargers, sessions, tags and keys, and sees only its own. */
export interface Client {
  readonly clientId: string;
  readonly name: string;
  /** Unknown tags may charge. */
  readonly openCharging: boolean;
  readonly createdAt: Timestamp;
}

export interface ClientReader {
  find(clientId: string): Promise<Client | undefined>;
  list(): Promise<Client[]>;
}

export interface ClientWriter {
  /** `exists`, with nothing changed, when the id is taken. */
  insert(client: Client): Promise<'inserted' | 'exists'>;
  /** No effect on an unknown client. */
  change(clientId: string, parts: Partial<Pick<Client, 'name' | 'openCharging'>>): Promise<void>;
}

/** Throws `invalid_request` for a name that is blank or too long. */
export function clientNameFrom(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 200) return name;
  throw new AppError('invalid_request', 'A client name has 1 to 200 characters.');
}
