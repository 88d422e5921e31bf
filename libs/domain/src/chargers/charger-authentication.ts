// What a charger must present, and the keys that it was told to take (rule 10). Pure: who changed the record reads, calls
// these, and writes by compare-and-set on `version`.
import type { Timestamp } from '../timestamp';

/** What a charger must present to connect. Only hashes are kept. */
export interface ChargerAuthentication {
  readonly securityProfile: 0 | 1 | 2 | 3;
  /** `scrypt$N$salt$hash` of the password bytes, or null where none is asked for. */
  readonly passwordHash: string | null;
  /** Keys that the charger was told to take and may have: each is as good as the one above. Absent: none. Oldest first. */
  readonly pending?: readonly PendingKey[];
  /** The last connection that came with the present key while others were pending; absent or 0: none. */
  readonly usedOrder?: number;
  /** The last connection that came with a pending key, which has become the present one. */
  readonly promotedOrder?: number;
  /** Grows with every change of any of these. Absent in documents written before there was one. */
  readonly version?: number;
}

export interface PendingKey {
  /** The command that took it to the charger. */
  readonly commandId: string;
  readonly passwordHash: string;
  /**
   * open: on its way, or may still be sent; unknown: sent, and nobody knows what became of it; agreed: the charger has
   * accepted it and uses it only later (after a reboot, or once it authenticates at all).
   */
  readonly state: 'open' | 'unknown' | 'agreed';
  /** When an open one can no longer be on its way, by anybody's clock. */
  readonly until: Timestamp;
}

/** How a command that took a key to a charger ended. */
export type KeyEnd = 'accepted' | 'after_reboot' | 'refused' | 'unknown';

/** Each is one more password to be checked at every connection. */
export const MAX_PENDING_KEYS = 4;

export function withPendingKey(before: ChargerAuthentication, key: PendingKey): ChargerAuthentication {
  return changed(before, { pending: [...pendingOf(before), key] });
}

/** For a key whose command was surely never sent. */
export function withoutPendingKey(before: ChargerAuthentication, commandId: string): ChargerAuthentication {
  const left = pendingOf(before).filter((key) => key.commandId !== commandId);
  return left.length === pendingOf(before).length ? before : changed(before, { pending: left });
}

/**
 * After the command of a key ended on the connection of that order. Ends of one charger's commands come in the order in
 * which they were sent, so the last accepted key is the charger's.
 */
export function resolveKey(
  before: ChargerAuthentication,
  commandId: string,
  end: KeyEnd,
  order: number,
): ChargerAuthentication {
  const key = pendingOf(before).find((each) => each.commandId === commandId);
  if (key === undefined) return before;
  const others = pendingOf(before).filter((each) => each !== key);
  const { promotedOrder = 0, usedOrder = 0 } = before;
  // A newer key has been used on a later connection: this one is history, whatever the charger said of it then.
  if (end === 'refused' || order < promotedOrder) return changed(before, { pending: others });
  if (end === 'unknown') {
    // The present key was used on a later connection, so the charger did not take this one.
    const settled = order < usedOrder;
    return changed(before, { pending: settled ? others : [...others, { ...key, state: 'unknown' }] });
  }
  // One that presents nothing must not be locked out before it begins to.
  if (end === 'after_reboot' || before.passwordHash === null) {
    return changed(before, { pending: [...others, { ...key, state: 'agreed' }] });
  }
  // What was sent before and not answered was overwritten by this one.
  return changed(before, {
    passwordHash: key.passwordHash,
    pending: others.filter(({ state }) => state === 'open'),
  });
}

/**
 * After a charger connected with its present key or that of a pending command: the other keys of which nobody knew are
 * settled with it. The same object where nothing changes, which is nearly always.
 */
export function useKey(
  before: ChargerAuthentication,
  used: 'present' | { readonly commandId: string },
  order: number,
  now: Timestamp,
): ChargerAuthentication {
  const pending = pendingOf(before);
  if (pending.length === 0) return before;
  const open = pending.filter(({ state, until }) => state === 'open' && until > now);
  if (used === 'present') {
    const left = pending.filter((key) => key.state === 'agreed' || open.includes(key));
    // What is agreed stays until it is used: nothing to write down at every connection until then.
    const isSettled = left.length === pending.length && open.length === 0;
    return isSettled ? before : changed(before, { pending: left, usedOrder: order });
  }
  const key = pending.find(({ commandId }) => commandId === used.commandId);
  if (key === undefined) return before;
  return changed(before, {
    securityProfile: before.securityProfile === 0 ? 1 : before.securityProfile,
    passwordHash: key.passwordHash,
    pending: open.filter((each) => each !== key),
    promotedOrder: order,
  });
}

/** What replaces another, whatever that was: its pending keys are void. */
export function replacing(
  before: ChargerAuthentication,
  next: Pick<ChargerAuthentication, 'securityProfile' | 'passwordHash'>,
): ChargerAuthentication {
  return { ...next, version: (before.version ?? 0) + 1 };
}

export function pendingOf({ pending }: Pick<ChargerAuthentication, 'pending'>): readonly PendingKey[] {
  return pending ?? [];
}

function changed(before: ChargerAuthentication, parts: Partial<ChargerAuthentication>): ChargerAuthentication {
  return { ...before, ...parts, version: (before.version ?? 0) + 1 };
}
