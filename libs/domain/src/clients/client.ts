import type { Timestamp } from '../timestamp';

/** A tenant: owns sites, chargers, sessions, tags and keys, and sees nobody else's. */
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
  /** `exists` when the id is taken; nothing is changed then. */
  insert(client: Client): Promise<'inserted' | 'exists'>;
  /** Does nothing when there is no such client. */
  change(clientId: string, parts: Partial<Pick<Client, 'name' | 'openCharging'>>): Promise<void>;
}
