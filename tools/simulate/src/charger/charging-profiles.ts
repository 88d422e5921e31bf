// Charging profiles: which may be installed, and the limit that they give at a time (OCPP 1.6, 3.13). Limits are in W.
import type { V16Requests } from '@busbar/ocpp';

export type Profile = V16Requests['SetChargingProfile']['csChargingProfiles'];

export interface InstalledProfile {
  readonly socket: number;
  readonly profile: Profile;
  /** The start of an absolute schedule that names none. */
  readonly installedAt: Date;
}

/** The load of one socket that profiles are applied to. */
export interface Load {
  readonly socket: number;
  /** Relative schedules begin here; undefined without a session. */
  readonly sessionStartedAt?: Date | undefined;
  /** Whether the session follows a profile with the purpose PriorityCharging (OCPP 2.1), where there is one. */
  readonly hasPriority?: boolean;
  /** Sessions that charge now: they share the limit of ChargePointMaxProfile. */
  readonly activeSessions: number;
}

/** From `from` on, until the next one. */
export interface LimitPeriod {
  readonly from: Date;
  /** Undefined: no profile limits it. */
  readonly limitW: number | undefined;
}

export const VOLTS = 230;
const PHASES = 3;
const MAX_STACK_LEVEL = 8;
const MAX_PERIODS = 24;
const MAX_INSTALLED = 20;
const DAY_MS = 86_400_000;
const RECURRENCE_MS: Readonly<Record<string, number>> = { Daily: DAY_MS, Weekly: 7 * DAY_MS };

/** Returns why a profile cannot be installed; undefined when it can. The caller checks the socket and its transaction. */
export function profileIssue(socket: number, profile: Profile): string | undefined {
  return purposeIssue(socket, profile) ?? scheduleIssue(profile);
}

/** The profiles with a new one, which replaces those with its id, and those at its stack level with its purpose and socket. */
export function withProfile(installed: readonly InstalledProfile[], added: InstalledProfile): InstalledProfile[] {
  const { chargingProfileId, stackLevel, chargingProfilePurpose } = added.profile;
  const kept = installed.filter(
    ({ socket, profile }) =>
      profile.chargingProfileId !== chargingProfileId &&
      !(
        socket === added.socket &&
        profile.stackLevel === stackLevel &&
        profile.chargingProfilePurpose === chargingProfilePurpose
      ),
  );
  return [...kept, added];
}

export function isFull(installed: readonly InstalledProfile[]): boolean {
  return installed.length > MAX_INSTALLED;
}

/**
 * Returns whether ClearChargingProfile means this profile (OCPP 1.6, 5.6): its id, else all the criteria that are
 * given.
 */
export function isCleared(
  { socket, profile }: InstalledProfile,
  { id, connectorId, chargingProfilePurpose, stackLevel }: V16Requests['ClearChargingProfile'],
): boolean {
  if (id !== undefined) return profile.chargingProfileId === id;
  return (
    (connectorId === undefined || connectorId === socket) &&
    (chargingProfilePurpose === undefined || chargingProfilePurpose === profile.chargingProfilePurpose) &&
    (stackLevel === undefined || stackLevel === profile.stackLevel)
  );
}

/** The limit in W at a time; undefined where no profile gives one. Connector 0 has ChargePointMaxProfile only. */
export function limitAt(installed: readonly InstalledProfile[], load: Load, at: Date): number | undefined {
  const max = highest(installed, 'ChargePointMaxProfile', load, at);
  if (load.socket === 0) return max;
  const share = max === undefined ? undefined : max / Math.max(1, load.activeSessions);
  const purposes = [
    ...(load.hasPriority === true ? ['PriorityCharging'] : []),
    ...(load.sessionStartedAt === undefined ? [] : ['TxProfile']),
    'TxDefaultProfile',
  ];
  const limit = purposes.map((purpose) => highest(installed, purpose, load, at)).find((found) => found !== undefined);
  if (share === undefined || limit === undefined) return share ?? limit;
  return Math.min(share, limit);
}

/** The limits from `from` until `to`, in order; the first begins at `from`. */
export function limitsBetween(
  installed: readonly InstalledProfile[],
  load: Load,
  [from, to]: readonly [Date, Date],
): LimitPeriod[] {
  const times = new Set([from.getTime()]);
  for (const each of installed) {
    for (const time of boundaries(each, load, from, to))
      if (time > from.getTime() && time < to.getTime()) times.add(time);
  }
  const periods: LimitPeriod[] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const limitW = limitAt(installed, load, new Date(time));
    if (periods.length === 0 || periods.at(-1)?.limitW !== limitW) periods.push({ from: new Date(time), limitW });
  }
  return periods;
}

function purposeIssue(socket: number, profile: Profile): string | undefined {
  const { chargingProfilePurpose: purpose, transactionId, stackLevel } = profile;
  if (purpose === 'ChargePointMaxProfile' && socket !== 0) return 'ChargePointMaxProfile is for connector 0.';
  if (purpose === 'TxProfile' && socket === 0) return 'TxProfile is for a connector with a session.';
  if (purpose !== 'TxProfile' && transactionId !== undefined) return 'Only a TxProfile has a transactionId.';
  return stackLevel < 0 || stackLevel > MAX_STACK_LEVEL ? 'The stackLevel exceeds its limit.' : undefined;
}

function scheduleIssue({ chargingProfileKind, recurrencyKind, chargingSchedule }: Profile): string | undefined {
  const { chargingSchedulePeriod: periods, startSchedule } = chargingSchedule;
  if (chargingProfileKind === 'Recurring' && (recurrencyKind === undefined || startSchedule === undefined)) {
    return 'A recurring profile needs recurrencyKind and startSchedule.';
  }
  if (periods.length === 0 || periods.length > MAX_PERIODS) return 'The schedule has too many periods or none.';
  const areAscending = periods.every(({ startPeriod }, i) => startPeriod > (periods[i - 1]?.startPeriod ?? -1));
  if (periods[0]?.startPeriod !== 0 || !areAscending) return 'Periods begin at 0 and ascend.';
  return periods.some(({ limit }) => limit < 0) ? 'A limit is negative.' : undefined;
}

/**
 * Returns the profile of the purpose with a period at this time and the highest stack level; a socket's own before that
 * of all.
 */
function highest(installed: readonly InstalledProfile[], purpose: string, load: Load, at: Date): number | undefined {
  const candidates = installed
    .filter((each) => each.profile.chargingProfilePurpose === purpose && appliesTo(each, load.socket))
    .map((each) => ({ each, limitW: limitOf(each, load, at) }))
    .filter(({ limitW }) => limitW !== undefined)
    .sort((a, b) => b.each.socket - a.each.socket || b.each.profile.stackLevel - a.each.profile.stackLevel);
  return candidates[0]?.limitW;
}

function appliesTo({ socket }: InstalledProfile, wanted: number): boolean {
  return socket === 0 || socket === wanted;
}

function limitOf(each: InstalledProfile, load: Load, at: Date): number | undefined {
  const { validFrom, validTo, chargingSchedule } = each.profile;
  if (validFrom !== undefined && at < new Date(validFrom)) return undefined;
  if (validTo !== undefined && at >= new Date(validTo)) return undefined;
  const elapsedS = (at.getTime() - startOf(each, load, at)) / 1000;
  if (elapsedS < 0 || elapsedS >= (chargingSchedule.duration ?? Infinity)) return undefined;
  const period = chargingSchedule.chargingSchedulePeriod.findLast(({ startPeriod }) => startPeriod <= elapsedS);
  if (period === undefined) return undefined;
  return chargingSchedule.chargingRateUnit === 'W' ? period.limit : wattsOf(period.limit, period.numberPhases);
}

/** The start of the schedule, for a recurring one that of its current recurrence, in ms. */
function startOf({ profile, installedAt }: InstalledProfile, { sessionStartedAt }: Load, at: Date): number {
  const { chargingProfileKind: kind, recurrencyKind, chargingSchedule } = profile;
  if (kind === 'Relative') return (sessionStartedAt ?? at).getTime();
  const start = new Date(chargingSchedule.startSchedule ?? installedAt).getTime();
  const every = kind === 'Recurring' ? RECURRENCE_MS[recurrencyKind ?? ''] : undefined;
  if (every === undefined || at.getTime() < start) return start;
  return start + Math.floor((at.getTime() - start) / every) * every;
}

/** The times at which the limit of a profile may change. */
function boundaries(each: InstalledProfile, load: Load, from: Date, to: Date): number[] {
  const { profile } = each;
  const { duration, chargingSchedulePeriod } = profile.chargingSchedule;
  const offsets = [
    ...chargingSchedulePeriod.map(({ startPeriod }) => startPeriod),
    ...(duration === undefined ? [] : [duration]),
  ];
  const every = profile.chargingProfileKind === 'Recurring' ? RECURRENCE_MS[profile.recurrencyKind ?? ''] : undefined;
  const first = startOf(each, load, from);
  const starts = [first];
  for (let start = first + (every ?? Infinity); start < to.getTime(); start += every ?? Infinity) starts.push(start);
  const validity = [profile.validFrom, profile.validTo].flatMap((time) =>
    time === undefined ? [] : [Date.parse(time)],
  );
  return [...validity, ...starts.flatMap((start) => offsets.map((offset) => start + offset * 1000))];
}

/** Current per phase as power. */
export function wattsOf(amperes: number, phases = PHASES): number {
  return amperes * VOLTS * phases;
}

/** Power as current per phase. */
export function amperesOf(watts: number): number {
  return watts / (VOLTS * PHASES);
}
