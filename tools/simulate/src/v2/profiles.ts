// Charging profiles of OCPP 2.x in the form of 1.6, as far as that has it.
import type { V16Requests, V2Requests } from '@busbar/ocpp';
import type { Profile } from '../charger/charging-profiles';

type Profile2 = V2Requests['SetChargingProfile']['chargingProfile'];
type Purpose = Profile['chargingProfilePurpose'] | 'PriorityCharging';
type Criteria = V2Requests['ClearChargingProfile'];

/** From its installation on; its limit is updated (OCPP 2.1). */
const DYNAMIC = 'Dynamic';
const PURPOSES: Readonly<Record<string, Purpose>> = {
  ChargingStationMaxProfile: 'ChargePointMaxProfile',
  TxDefaultProfile: 'TxDefaultProfile',
  TxProfile: 'TxProfile',
  PriorityCharging: 'PriorityCharging',
};
const KINDS: ReadonlySet<string> = new Set(['Absolute', 'Recurring', 'Relative', DYNAMIC]);

/** `numberOf` gives the number of a transaction. Undefined for a profile that 1.6 does not have. */
export function profileOf(
  profile: Profile2,
  numberOf: (transactionId: string) => number | undefined,
): Profile | undefined {
  const { id, stackLevel, chargingProfilePurpose, chargingProfileKind, transactionId, chargingSchedule } = profile;
  const [schedule, ...others] = chargingSchedule;
  const purpose = purposeOf(chargingProfilePurpose);
  const number = transactionId === undefined ? undefined : numberOf(transactionId);
  const isUnknown = transactionId !== undefined && number === undefined;
  if (schedule === undefined || others.length > 0 || purpose === undefined || isUnknown) return undefined;
  if (!KINDS.has(chargingProfileKind)) return undefined;
  const periods = schedule.chargingSchedulePeriod.flatMap(({ startPeriod, limit, numberPhases }) =>
    limit === undefined ? [] : [{ startPeriod, limit, ...(numberPhases === undefined ? {} : { numberPhases }) }],
  );
  if (periods.length < schedule.chargingSchedulePeriod.length) return undefined;
  if (chargingProfileKind === DYNAMIC && periods.length > 1) return undefined;
  const { duration, startSchedule, chargingRateUnit, minChargingRate } = schedule;
  const { recurrencyKind, validFrom, validTo, dynUpdateInterval, dynUpdateTime } = profile;
  // What 1.6 lacks is kept for the reports: it takes a dynamic profile as an absolute one.
  return defined({
    chargingProfileId: id,
    transactionId: number,
    stackLevel,
    chargingProfilePurpose: purpose,
    chargingProfileKind,
    recurrencyKind,
    validFrom,
    validTo,
    dynUpdateInterval,
    dynUpdateTime,
    chargingSchedule: defined({
      duration,
      startSchedule,
      chargingRateUnit,
      chargingSchedulePeriod: periods,
      minChargingRate,
    }),
  }) as unknown as Profile;
}

export function isDynamic({ chargingProfileKind }: Profile): boolean {
  return (chargingProfileKind as string) === DYNAMIC;
}

/** The dynamic profile with another limit from this time on. */
export function withLimit(profile: Profile, limit: number, at: Date): Profile {
  const { chargingSchedule } = profile;
  const chargingSchedulePeriod = chargingSchedule.chargingSchedulePeriod.map((period) => ({ ...period, limit }));
  const update = { dynUpdateTime: at.toISOString(), chargingSchedule: { ...chargingSchedule, chargingSchedulePeriod } };
  return { ...profile, ...update };
}

/** The profile of 1.6 as a charger of 2.x reports it. `idOf` gives the id of a transaction. */
export function reportedOf(
  { chargingProfileId: id, transactionId, chargingProfilePurpose: purpose, chargingSchedule, ...profile }: Profile,
  idOf: (number: number) => string | undefined,
): Profile2 {
  const [chargingProfilePurpose = purpose] = Object.keys(PURPOSES).filter((each) => PURPOSES[each] === purpose);
  // Both versions have the kinds, the recurrences and the units of 1.6.
  return defined({
    ...profile,
    id,
    chargingProfilePurpose,
    transactionId: transactionId === undefined ? undefined : idOf(transactionId),
    chargingSchedule: [{ id: 1, ...chargingSchedule }],
  }) as unknown as Profile2;
}

/** Whether a GetChargingProfiles asks for the profile. All are the operator's. */
export function matches(
  { chargingProfileId, chargingProfilePurpose: purpose, stackLevel }: Profile,
  criteria: V2Requests['GetChargingProfiles']['chargingProfile'],
): boolean {
  if (criteria.chargingProfileId?.includes(chargingProfileId) === false) return false;
  if (criteria.chargingLimitSource?.includes('CSO') === false) return false;
  if ((criteria.stackLevel ?? stackLevel) !== stackLevel) return false;
  return criteria.chargingProfilePurpose === undefined || purposeOf(criteria.chargingProfilePurpose) === purpose;
}

export function criteriaOf({
  chargingProfileId,
  chargingProfileCriteria = {},
}: Criteria): V16Requests['ClearChargingProfile'] {
  const { evseId, chargingProfilePurpose, stackLevel } = chargingProfileCriteria;
  return defined({
    id: chargingProfileId,
    connectorId: evseId,
    // A purpose that is never installed clears nothing: no profile has the id -1.
    ...(chargingProfilePurpose === undefined ? {} : purposeCriteria(chargingProfilePurpose)),
    stackLevel,
  });
}

function purposeCriteria(purpose: string): V16Requests['ClearChargingProfile'] {
  const known = purposeOf(purpose);
  return known === undefined ? { id: -1 } : { chargingProfilePurpose: known };
}

function purposeOf(purpose: string): Purpose | undefined {
  return Object.hasOwn(PURPOSES, purpose) ? PURPOSES[purpose] : undefined;
}

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
