// Charging profiles of a charger: those that commands have set, and in OCPP 2.x those that it reported of others, such as an energy
// management system or a grid operator. Pure.
import { isAfter, type Position } from '@busbar/contracts';
import type { ExternalLimit } from './external-limit';
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
  /** The profile as sent, or as the charger reported it. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** Who set it, as the charger reported: EMS, SO, Other. Absent: the operator (CSO). Only the charger's own messages remove others. */
  readonly source?: string;
  /** Of a dynamic profile of OCPP 2.1: the last update that the charger accepted. */
  readonly update?: ScheduleUpdate;
}

export interface ScheduleUpdate {
  /** In OCPP's field names. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly position: Position;
}

/** Selects the profiles to clear: those that match all given fields. */
export interface ProfileCriteria {
  readonly profileId?: number;
  readonly socketId?: number;
  readonly purpose?: string;
  readonly stackLevel?: number;
  readonly source?: string;
}

export interface ProfileClearing {
  readonly criteria: ProfileCriteria;
  readonly position: Position;
  /** The charger itself reported it. Absent: a command of ours, which clears no profile of another source. */
  readonly isOfCharger?: true;
}

export interface ChargingProfiles {
  /** Oldest first. */
  readonly installed: readonly InstalledProfile[];
  /** The last few clearings, for profiles of an older connection that are reported later. */
  readonly clearings: readonly ProfileClearing[];
  /** OCPP 2.x. */
  readonly externalLimits?: readonly ExternalLimit[];
}

/** The purpose of profiles for one transaction, which end with it. OCPP 1.6, 2.0.1 and 2.1 have the same word. */
const OF_TRANSACTION = 'TxProfile';
/** The operator, which is this service, in the words of OCPP 2.x. */
export const OWN_SOURCE = 'CSO';
const MAX_PROFILES = 100;
const MAX_CLEARINGS = 16;
/** Characters of all profiles as JSON together. Above either limit the oldest are removed. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Installs a profile. It replaces one with the same id, or with the same purpose and stack level at the same socket
 * (OCPP 1.6 3.13 and 5.16). Later messages prevail.
 */
export function withProfile(profiles: ChargingProfiles, profile: InstalledProfile): ChargingProfiles {
  return withInstead(
    profiles,
    profile,
    profiles.installed.filter((other) => isSameSlot(other, profile)),
  );
}

/**
 * The profiles with one that the charger reported. It replaces that of its number alone: the charger says what it has. Of one that a command
 * has set, the command and its time stay.
 */
export function withReportedProfile(profiles: ChargingProfiles, reported: InstalledProfile): ChargingProfiles {
  const known = profiles.installed.find((each) => isSameProfile(each, reported));
  if (known === undefined) return withInstead(profiles, reported, []);
  const { setAt, commandId, forStart, socketId, transactionId, update } = known;
  const ofStart = forStart ? { forStart, socketId, transactionId } : {};
  const ofTransaction = { transactionId: reported.transactionId ?? transactionId };
  return withInstead(
    profiles,
    { ...reported, ...ofTransaction, setAt, commandId, ...ofStart, ...(update && { update }) },
    [known],
  );
}

/** Later messages prevail. */
function withInstead(
  profiles: ChargingProfiles,
  profile: InstalledProfile,
  rivals: readonly InstalledProfile[],
): ChargingProfiles {
  const { installed, clearings } = profiles;
  const isOutdone =
    rivals.some((rival) => !isAfter(profile.position, rival.position)) ||
    clearings.some((clearing) => isAfter(clearing.position, profile.position) && isMeant(profile, clearing));
  if (isOutdone) return profiles;
  return { ...profiles, installed: withinLimits([...installed.filter((other) => !rivals.includes(other)), profile]) };
}

/** The profiles with an update of the operator's profile of that number. Later ones prevail. */
export function withScheduleUpdate(
  profiles: ChargingProfiles,
  profileId: number,
  update: ScheduleUpdate,
): ChargingProfiles {
  const installed = profiles.installed.map((each) => {
    const isNewer = each.update === undefined || isAfter(update.position, each.update.position);
    return isNewer && isOwnProfile(each, profileId) ? { ...each, update } : each;
  });
  return { ...profiles, installed };
}

/** Undefined: there is no such profile of the operator, or it has had no update. */
export function scheduleUpdateOf({ installed }: ChargingProfiles, profileId: number): ScheduleUpdate | undefined {
  return installed.find((each) => isOwnProfile(each, profileId))?.update;
}

function isOwnProfile(profile: InstalledProfile, profileId: number): boolean {
  return profile.profileId === profileId && profile.source === undefined;
}

/** The profiles after a report of all, which began with the message at `since` and has come to its end (rule 159). */
export function withAllProfilesReported(profiles: ChargingProfiles, since: Position): ChargingProfiles {
  return withoutProfiles(profiles, { criteria: {}, position: since, isOfCharger: true });
}

/** The profiles of a charger that comes with another major version: those of the operator. */
export function withoutOtherSources({ installed, clearings }: ChargingProfiles): ChargingProfiles {
  return { installed: installed.filter(({ source }) => source === undefined), clearings };
}

export function withoutProfiles(profiles: ChargingProfiles, clearing: ProfileClearing): ChargingProfiles {
  const { position } = clearing;
  return {
    ...profiles,
    installed: profiles.installed.filter((each) => !isMeant(each, clearing) || !isAfter(position, each.position)),
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

function isSameProfile(a: InstalledProfile, b: InstalledProfile): boolean {
  return a.profileId === b.profileId && a.source === b.source;
}

/** A profile replaces none of another source. */
function isSameSlot(a: InstalledProfile, b: InstalledProfile): boolean {
  if (a.source !== b.source) return false;
  if (a.profileId === b.profileId) return true;
  return a.socketId === b.socketId && a.purpose === b.purpose && a.stackLevel === b.stackLevel;
}

function isMeant(profile: InstalledProfile, { criteria, isOfCharger }: ProfileClearing): boolean {
  // A charger reports the profile of a start no sooner than it begins.
  if (isOfCharger === true ? profile.forStart : profile.source !== undefined) return false;
  const { profileId, socketId, purpose, stackLevel, source = OWN_SOURCE } = profile;
  const facts: Readonly<Record<string, unknown>> = { profileId, socketId, purpose, stackLevel, source };
  return Object.entries(criteria).every(([field, wanted]) => wanted === undefined || facts[field] === wanted);
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
