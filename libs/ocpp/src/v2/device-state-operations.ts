// Reservations, the local list and charging profiles in OCPP 2.x.
import { given } from '../operations/calls';
import { issuesOfList } from '../operations/local-list';
import type { LocalListTag, OperationTable } from '../operations/operation';
import { carriedParent, type OcppVersion } from '../version';
import {
  call,
  evseIdOf,
  groupOf,
  issuesOf,
  OWN_TOKEN,
  placeOf,
  profileOf,
  purposeOf,
  status,
  tokenTypeOf,
} from './operation-parts';

/** IdTokenEnumType: in a list, where a tag has no type, those that readers read. */
const LISTED_TOKEN = 'ISO14443';
/** EVSE 0 is the charging station. */
const STATION = 0;

export const deviceStateOperations: OperationTable = {
  reserve: ({ reservationId, socketId, rfidTag, parentRfidTag, connectorType, expiresAt }, { tag }, version) => ({
    ...status('ReserveNow', {
      id: reservationId,
      expiryDateTime: expiresAt,
      idToken: { idToken: rfidTag, type: tokenTypeOf(version, tag?.type, OWN_TOKEN) },
      ...given('connectorType', connectorType),
      ...evseIdOf(socketId),
      ...groupOf(parentRfidTag),
    }),
    issues: issuesOf(socketId),
  }),
  cancelReservation: ({ reservationId }) => status('CancelReservation', { reservationId }),

  sendLocalList: ({ listVersion, updateType, tags }, _stored, version) => ({
    issues: issuesOfList(updateType, tags),
    ...status('SendLocalList', {
      versionNumber: listVersion,
      updateType,
      // An empty list has no items, and at least one is required.
      ...given('localAuthorizationList', tags.length === 0 ? undefined : tags.map((tag) => listed(tag, version))),
    }),
  }),
  getLocalListVersion: () => call('GetLocalListVersion', {}, ({ versionNumber }) => ({ listVersion: versionNumber })),

  setChargingProfile: ({ socketId, chargingProfile }, { deviceTransactionId }) => ({
    ...status('SetChargingProfile', {
      evseId: evseIdOf(socketId).evseId ?? STATION,
      chargingProfile: {
        ...profileOf(chargingProfile),
        ...given(
          'transactionId',
          chargingProfile.chargingProfilePurpose === 'TxProfile' ? deviceTransactionId : undefined,
        ),
      },
    }),
    issues: issuesOf(socketId),
  }),
  clearChargingProfile({ chargingProfileId, socketId, chargingProfilePurpose: purpose, stackLevel }) {
    const criteria = {
      ...given('evseId', evseIdOfCriterion(socketId)),
      ...given('chargingProfilePurpose', purpose && purposeOf(purpose)),
      ...given('stackLevel', stackLevel),
    };
    return {
      ...status('ClearChargingProfile', {
        ...given('chargingProfileId', chargingProfileId),
        ...given('chargingProfileCriteria', Object.keys(criteria).length === 0 ? undefined : criteria),
      }),
      issues: issuesOf(socketId),
    };
  },
  getChargingProfiles: ({ requestId, socketId, chargingProfilePurpose, ...criteria }) => ({
    ...status('GetChargingProfiles', {
      requestId,
      ...given('evseId', evseIdOfCriterion(socketId)),
      chargingProfile: {
        ...given('chargingProfilePurpose', chargingProfilePurpose && purposeOf(chargingProfilePurpose)),
        ...given('stackLevel', criteria.stackLevel),
        ...given('chargingProfileId', criteria.chargingProfileId),
        ...given('chargingLimitSource', criteria.chargingLimitSource),
      },
    }),
    issues: issuesOf(socketId),
  }),
  getCompositeSchedule: ({ socketId, durationS, chargingRateUnit }) => ({
    ...call(
      'GetCompositeSchedule',
      {
        evseId: evseIdOf(socketId).evseId ?? STATION,
        duration: durationS,
        ...given('chargingRateUnit', chargingRateUnit),
      },
      ({ status: answer, schedule }) => {
        const { evseId = null, scheduleStart = null, ...chargingSchedule } = schedule ?? {};
        return {
          status: answer,
          socketId: evseId,
          scheduleStart,
          chargingSchedule: schedule === undefined ? null : { ...chargingSchedule },
        };
      },
    ),
    issues: issuesOf(socketId),
  }),
};

/** Socket 0: the charging station alone. */
function evseIdOfCriterion(socketId: number | undefined): number | undefined {
  return socketId === undefined || socketId === STATION ? socketId : placeOf(socketId).evseId;
}

function listed({ rfidTag, status: standing, ...tag }: LocalListTag, version: OcppVersion) {
  const parent = tag.parentRfidTag ?? carriedParent(version, tag.inheritedParentRfidTag);
  const info = standing && {
    status: standing,
    ...given('cacheExpiryDateTime', tag.expiringDate),
    ...groupOf(parent),
  };
  return {
    idToken: { idToken: rfidTag, type: tokenTypeOf(version, tag.type, LISTED_TOKEN) },
    ...given('idTokenInfo', info),
  };
}
