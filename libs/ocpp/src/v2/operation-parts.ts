// What the operations of OCPP 2.x share: sockets as places, and CALLs of the types of their actions.
import { callsOf, given } from '../operations/calls';
import { schedulesOf, type ChargingProfile } from '../operations/charging-profile';
import type { InputIssue } from '../operations/operation';
import type { V2Requests, V2Responses } from './payloads';
import type { OcppVersion } from '../version';
import { placeOfSocket, type ConnectorPlace } from './sockets';

const FIRST_PLACE: ConnectorPlace = { evseId: 1, connectorId: 1 };

/** A number that is no socket has its issue, and any place here. */
export function placeOf(socketId: number): ConnectorPlace {
  return placeOfSocket(socketId) ?? FIRST_PLACE;
}

/** Socket 0 or none: the whole charger. */
export function evseOf(socketId: number | undefined): Pick<V2Requests['ChangeAvailability'], 'evse'> {
  if (socketId === undefined || socketId === 0) return {};
  const { evseId, connectorId } = placeOf(socketId);
  return { evse: { id: evseId, connectorId } };
}

/** Socket 0 or none: any EVSE. */
export function evseIdOf(socketId: number | undefined): { readonly evseId?: number } {
  return socketId === undefined || socketId === 0 ? {} : { evseId: placeOf(socketId).evseId };
}

/** IdTokenEnumType: a token of the service, whatever the reader of the charger. */
export const OWN_TOKEN = 'Central';

/** The group of a token, where its tag has one. */
export function groupOf(parent: string | undefined): Pick<V2Requests['ReserveNow'], 'groupIdToken'> {
  return parent !== undefined ? { groupIdToken: { idToken: parent, type: OWN_TOKEN } } : {};
}

/** IdTokenEnumType of 2.0.1, but for NoAuthorization, which is of no tag. 2.1 has these, others of its own and any text. */
const TOKEN_TYPES = ['Central', 'eMAID', 'ISO14443', 'ISO15693', 'KeyCode', 'Local', 'MacAddress'] as const;

/** The type of a tag; `otherwise` for one that the tag does not have, or the version cannot carry. */
export function tokenTypeOf(
  version: OcppVersion,
  type: string | null | undefined,
  otherwise: (typeof TOKEN_TYPES)[number],
): string {
  const known = TOKEN_TYPES.find((each) => each.toLowerCase() === type?.toLowerCase());
  return known ?? (version === 'ocpp2.0.1' ? null : type) ?? otherwise;
}

/** Without its transaction, whose id is the charger's own. */
export function profileOf(profile: ChargingProfile) {
  const { chargingProfileId, chargingProfilePurpose, stackLevel, chargingProfileKind } = profile;
  const { recurrencyKind, validFrom, validTo, dynUpdateInterval, dynUpdateTime } = profile;
  return {
    id: chargingProfileId,
    stackLevel,
    chargingProfilePurpose: purposeOf(chargingProfilePurpose),
    chargingProfileKind,
    ...given('recurrencyKind', recurrencyKind),
    ...given('validFrom', validFrom),
    ...given('validTo', validTo),
    ...given('dynUpdateInterval', dynUpdateInterval),
    ...given('dynUpdateTime', dynUpdateTime),
    chargingSchedule: schedulesOf(profile).map(({ chargingSchedulePeriod, ...schedule }, n) => ({
      id: n + 1,
      ...schedule,
      chargingSchedulePeriod: [...chargingSchedulePeriod],
    })),
  };
}

/** 1.6 names one otherwise. */
export function purposeOf<Purpose extends string>(purpose: Purpose) {
  return purpose === 'ChargePointMaxProfile' ? ('ChargingStationMaxProfile' as const) : purpose;
}

export function issuesOf(socketId: number | undefined): InputIssue[] {
  const isSocket = socketId === undefined || socketId === 0 || placeOfSocket(socketId) !== undefined;
  return isSocket ? [] : [{ path: '/socketId', message: 'is not the number of a socket' }];
}

/** The charger's reasons for a status. Null: it gave none. */
export function statusInfoOf(info: { readonly reasonCode: string; readonly additionalInfo?: string } | undefined) {
  return info === undefined ? null : { reasonCode: info.reasonCode, additionalInfo: info.additionalInfo ?? null };
}

/** Data of 2.x is any JSON. */
export function textOf(data: unknown): string | null {
  if (data === undefined || data === null) return null;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** CALLs of OCPP 2.x. */
export const { call, status } = callsOf<V2Requests, V2Responses>();
