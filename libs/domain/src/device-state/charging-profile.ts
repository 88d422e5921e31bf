import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';
import type { OngoingTransaction } from '../sessions/ongoing-transaction';

export interface InstalledProfile {
  readonly profileId: number;
  /** 0: the whole charger, or each of its sockets. Null where the charger chooses, at a remote start. */
  readonly socketId: number | null;
  readonly purpose: string;
  readonly stackLevel: number;
  /** The transaction of a profile for one, where it was known. */
  readonly transactionId: number | null;
  /** The remote start that carried the profile: it applies to the transaction which that command begins. */
  readonly forStart: boolean;
  readonly commandId: string | null;
  readonly setAt: Timestamp;
  readonly position: Position;
  /** The profile as sent. */
  readonly profile: Readonly<Record<string, unknown>>;
}

/** Selects the profiles to clear: those that match all given fields. */
export interface ProfileCriteria {
  readonly profileId?: number;
  readonly socketId?: number;
  readonly purpose?: string;
  readonly stackLevel?: number;
}

export interface ProfileClearing {
  readonly criteria: ProfileCriteria;
  readonly position: Position;
}

export interface ChargingProfiles {
  /** Oldest first. */
  readonly installed: readonly InstalledProfile[];
  /** The last few clearings, for profiles of an older connection that are reported later. */
  readonly clearings: readonly ProfileClearing[];
}

/** The purpose of profiles for one transaction, which end with it. OCPP 1.6, 2.0.1 and 2.1 have the same word. */
const OF_TRANSACTION = 'TxProfile';
const MAX_PROFILES = 100;
const MAX_CLEARINGS = 16;
/** Characters of all profiles as JSON together. Above either limit the oldest are removed. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Installs a profile. It replaces one with the same id, or with the same purpose and stack level at the same socket
 * (OCPP 1.6 3.13 and 5.16). Later messages prevail.
 */
export function withProfile(profiles: ChargingProfiles, profile: InstalledProfile): ChargingProfiles {
  const { installed, clearings } = profiles;
  const rivals = installed.filter((other) => isSameSlot(other, profile));
  const isOutdone =
    rivals.some((rival) => !isAfter(profile.position, rival.position)) ||
    clearings.some(({ criteria, position }) => isAfter(position, profile.position) && isMeant(profile, criteria));
  if (isOutdone) return profiles;
  return { installed: withinLimits([...installed.filter((other) => !rivals.includes(other)), profile]), clearings };
}

export function withoutProfiles(profiles: ChargingProfiles, clearing: ProfileClearing): ChargingProfiles {
  const { criteria, position } = clearing;
  return {
    installed: profiles.installed.filter((each) => !isMeant(each, criteria) || isAfter(each.position, position)),
    clearings: [...profiles.clearings, clearing].slice(-MAX_CLEARINGS),
  };
}

/** Removes the profiles of ended transactions, and correlates the others with their transaction and its socket. */
export function profilesInForce(
  { installed }: ChargingProfiles,
  ongoing: readonly OngoingTransaction[],
): readonly InstalledProfile[] {
  return installed.flatMap((profile) => {
    if (profile.purpose !== OF_TRANSACTION) return [profile];
    const transaction = ongoing.find((each) => isFor(profile, each));
    if (transaction === undefined) return [];
    const { transactionId, socketId } = transaction;
    return [{ ...profile, transactionId, socketId }];
  });
}

function isFor({ forStart, commandId, transactionId }: InstalledProfile, transaction: OngoingTransaction): boolean {
  if (forStart) return commandId !== null && transaction.commandId === commandId;
  return transactionId !== null && transaction.transactionId === transactionId;
}

function isSameSlot(a: InstalledProfile, b: InstalledProfile): boolean {
  if (a.profileId === b.profileId) return true;
  return a.socketId === b.socketId && a.purpose === b.purpose && a.stackLevel === b.stackLevel;
}

function isMeant(profile: InstalledProfile, { profileId, socketId, purpose, stackLevel }: ProfileCriteria): boolean {
  return (
    (profileId === undefined || profileId === profile.profileId) &&
    (socketId === undefined || socketId === profile.socketId) &&
    (purpose === undefined || purpose === profile.purpose) &&
    (stackLevel === undefined || stackLevel === profile.stackLevel)
  );
}

function withinLimits(installed: readonly InstalledProfile[]): readonly InstalledProfile[] {
  const kept: InstalledProfile[] = [];
  let characters = 0;
  for (const profile of installed.slice(-MAX_PROFILES).reverse()) {
    characters += JSON.stringify(profile.profile).length;
    if (kept.length > 0 && characters > MAX_CHARACTERS) break;
    kept.push(profile);
  }
  return kept.reverse();
}
