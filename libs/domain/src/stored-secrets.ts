// Secrets that the service must send, and so cannot store as hashes: signing secrets of webhooks, values of `authorization`. The
// port of their encryption; libs/runtime has it.

export interface StoredSecrets {
  /** Returns what to store. Each call returns another text. `ownerId`: of the record that has the secret. */
  encrypt(secret: string, ownerId: string): string;
  /** Undefined for a text of another owner, one that was changed, and one whose key is gone. */
  decrypt(stored: string, ownerId: string): string | undefined;
  /** True where the first key encrypted it: others are to be encrypted again before their key is removed. */
  isCurrent(stored: string, ownerId: string): boolean;
}

/** The text under the first key; as it was where it is already, or its key is gone. */
export function underFirstKey(secrets: StoredSecrets, stored: string, ownerId: string): string {
  if (secrets.isCurrent(stored, ownerId)) return stored;
  const secret = secrets.decrypt(stored, ownerId);
  return secret === undefined ? stored : secrets.encrypt(secret, ownerId);
}
