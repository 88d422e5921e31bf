// The credentials that a charger must present to connect, with the keys that commands gave it (rule 10). Pure: callers
// read the record, and write it by compare-and-set on `version`.
import type { Timestamp } from '../../timestamp';

type SecurityProfile = ChargerAuthentication['securityProfile'];

/** The credentials that a charger must present to connect. Only hashes are stored. */
export interface ChargerAuthentication {
  readonly securityProfile: 0 | 1 | 2 | 3;
  /** `scrypt$N$salt$hash` of the password bytes, or null where none is required. */
  readonly passwordHash: string | null;
  /** Keys that commands gave the charger and that it may have: each is as valid as `passwordHash`. Oldest first. */
  readonly pending?: readonly PendingKey[];
  /** The last connection with the present key while others were pending; 0 or absent: none. */
  readonly usedOrder?: number;
  /** The last connection with a pending key, which became the present one. */
  readonly promotedOrder?: number;
  /** The higher security profiles of network profiles that the charger accepted (OCPP 2.x) and has not connected by yet, ascending. */
  readonly agreedProfiles?: readonly SecurityProfile[];
  /** When the profile and password were last set or removed, or became what they are by a key or profile of a command; absent: never. */
  readonly setAt?: Timestamp;
  /** Grows with every change of these fields. */
  readonly version?: number;
}

export interface PendingKey {
  /** The command that sent the key to the charger. */
  readonly commandId: string;
  readonly passwordHash: string;
  /**
   * - `open`: the command may still be sent or in flight.
   * - `unknown`: it was sent, its outcome is unknown.
   * - `agreed`: the charger accepted the key and uses it later (after a reboot, or once it authenticates at all).
   */
  readonly state: 'open' | 'unknown' | 'agreed';
  /** When an open command can no longer be in flight, by any clock. */
  readonly until: Timestamp;
}

/** The end of a command with a key. */
export type KeyEnd = 'accepted' | 'after_reboot' | 'refused' | 'unknown';

/** Every connection checks its password against each pending key. */
export const MAX_PENDING_KEYS = 4;

export function withPendingKey(before: ChargerAuthentication, key: PendingKey): ChargerAuthentication {
  return changed(before, { pending: [...pendingOf(before), key] });
}

/** For a key whose command was never sent. */
export function withoutPendingKey(before: ChargerAuthentication, commandId: string): ChargerAuthentication {
  const left = pendingOf(before).filter((key) => key.commandId !== commandId);
  return left.length === pendingOf(before).length ? before : changed(before, { pending: left });
}

/**
 * Applies the end of a key's command on the connection of that order. The commands of a charger end in the order in
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
  // A newer key was used on a later connection: this outcome no longer matters.
  if (end === 'refused' || order < promotedOrder) return changed(before, { pending: others });
  if (end === 'unknown') {
    // The present key was used on a later connection, so the charger did not adopt this one.
    const isSuperseded = order < usedOrder;
    return changed(before, { pending: isSuperseded ? others : [...others, { ...key, state: 'unknown' }] });
  }
  // A charger without a password must not be locked out before it uses the key.
  if (end === 'after_reboot' || before.passwordHash === null) {
    return changed(before, { pending: [...others, { ...key, state: 'agreed' }] });
  }
  // Unanswered earlier keys were overwritten by this one.
  return changed(before, {
    passwordHash: key.passwordHash,
    pending: others.filter(({ state }) => state === 'open'),
  });
}

/**
 * Applies the use of a key at a connection, which resolves the pending keys with an unknown outcome. Returns the same
 * object where nothing changes, which is the usual case.
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
    // An agreed key stays pending until it is used, without a write for every connection.
    const isUnchanged = left.length === pending.length && open.length === 0;
    return isUnchanged ? before : changed(before, { pending: left, usedOrder: order });
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

/** The charger has accepted a network profile (rule 108). A lower or equal security profile changes nothing. */
export function withAgreedProfile(before: ChargerAuthentication, profile: SecurityProfile): ChargerAuthentication {
  const { agreedProfiles = [], securityProfile } = before;
  if (profile <= securityProfile || agreedProfiles.includes(profile)) return before;
  return changed(before, { agreedProfiles: [...agreedProfiles, profile].sort((one, other) => one - other) });
}

/**
 * A connection that proves an agreed security profile raises the registered one, so that a lower one is refused from then on (rule 108);
 * a higher agreed one stays agreed. Profile 3 authenticates by the certificate alone, so that the password is removed (rule 107). Returns
 * the same object where nothing changes, which is the usual case.
 */
export function useProfile(before: ChargerAuthentication, proven: SecurityProfile): ChargerAuthentication {
  const { agreedProfiles, ...rest } = before;
  const raised = agreedProfiles?.filter((each) => each <= proven).at(-1);
  if (agreedProfiles === undefined || raised === undefined) return before;
  const left = agreedProfiles.filter((each) => each > raised);
  const keys = raised === 3 ? { passwordHash: null, pending: [] } : {};
  return changed(left.length === 0 ? rest : { ...rest, agreedProfiles: left }, { securityProfile: raised, ...keys });
}

/** Replaces the authentication, at `at`, and voids its pending keys. */
export function replacing(
  before: ChargerAuthentication,
  next: Pick<ChargerAuthentication, 'securityProfile' | 'passwordHash'>,
  at: Timestamp,
): ChargerAuthentication {
  return { ...next, setAt: at, version: (before.version ?? 0) + 1 };
}

/** `after` with `at` as its `setAt` where its security profile or password is another than before; the same object where neither is. */
export function dated(
  before: ChargerAuthentication,
  after: ChargerAuthentication,
  at: Timestamp,
): ChargerAuthentication {
  const { securityProfile, passwordHash } = before;
  const isSame = after.securityProfile === securityProfile && after.passwordHash === passwordHash;
  return isSame ? after : { ...after, setAt: at };
}

export function pendingOf({ pending }: Pick<ChargerAuthentication, 'pending'>): readonly PendingKey[] {
  return pending ?? [];
}

function changed(before: ChargerAuthentication, parts: Partial<ChargerAuthentication>): ChargerAuthentication {
  return { ...before, ...parts, version: (before.version ?? 0) + 1 };
}
