// The table of operations in OCPP 1.6: socket → connector (0: the charger itself), tag → idTag, options → actions.
import { given } from '../operations/calls';
import { schedulesOf, type ChargingProfile, type ChargingSchedule } from '../operations/charging-profile';
import { issuesOfList } from '../operations/local-list';
import type { InputIssue, OperationTable } from '../operations/operation';
import { carriedParent } from '../version';
import { certificateOperations } from './certificate-operations';
import { call, status } from './operation-parts';

/** Messages that only the security extension's ExtendedTriggerMessage knows. */
const EXTENDED_MESSAGES: readonly string[] = ['LogStatusNotification', 'SignChargePointCertificate'];

/** In place of an empty list, which has its issue. */
const NO_SCHEDULE: ChargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [] };

export const operations16: OperationTable = {
  ...certificateOperations,
  startCharging: ({ socketId, rfidTag, chargingProfile }) => ({
    ...status('RemoteStartTransaction', {
      idTag: rfidTag,
      ...given('connectorId', socketId),
      ...given('chargingProfile', chargingProfile && profileOf(chargingProfile)),
    }),
    issues: chargingProfile === undefined ? [] : issuesOfSchedules(chargingProfile),
  }),
  stopTransaction: ({ transactionId }) => status('RemoteStopTransaction', { transactionId }),
  reset: ({ type, socketId }) => ({
    ...status('Reset', { type: type === 'Soft' ? type : 'Hard' }),
    issues: [
      ...onlyIn2('/socketId', socketId !== undefined),
      ...onlyIn2('/type', type === 'ImmediateAndResume', 'is a reset of OCPP 2.1'),
    ],
  }),
  unlock: ({ socketId }) => status('UnlockConnector', { connectorId: socketId }),
  changeAvailability: ({ socketId, evseId, type }) => ({
    ...status('ChangeAvailability', { connectorId: socketId ?? 0, type }),
    issues: onlyIn2('/evseId', evseId !== undefined),
  }),
  triggerMessage: ({ message, socketId, customTrigger }) => ({
    ...status(EXTENDED_MESSAGES.includes(message) ? 'ExtendedTriggerMessage' : 'TriggerMessage', {
      requestedMessage: message,
      ...given('connectorId', socketId),
    }),
    issues: onlyIn2('/customTrigger', customTrigger !== undefined),
  }),
  clearCache: () => status('ClearCache', {}),

  getDiagnostics({ location, startTime, stopTime, logType, requestId, ...attempts }) {
    if (logType === undefined) {
      const times = { ...given('startTime', startTime), ...given('stopTime', stopTime) };
      return call('GetDiagnostics', { location, ...times, ...attemptsOf(attempts) }, ({ fileName }) => ({
        status: null,
        fileName: fileName ?? null,
        requestId: null,
      }));
    }
    const times = { ...given('oldestTimestamp', startTime), ...given('latestTimestamp', stopTime) };
    const log = { remoteLocation: location, ...times };
    return call('GetLog', { log, logType, requestId, ...attemptsOf(attempts) }, (answer) => ({
      status: answer.status,
      fileName: answer.filename ?? null,
      requestId,
    }));
  },

  updateFirmware({ location, retrieveAt, installAt, signingCertificate, signature, requestId, ...attempts }) {
    if (signingCertificate === undefined || signature === undefined) {
      const payload = { location, retrieveDate: retrieveAt, ...attemptsOf(attempts) };
      return call('UpdateFirmware', payload, () => ({ status: null, requestId: null }));
    }
    const install = given('installDateTime', installAt);
    const firmware = { location, retrieveDateTime: retrieveAt, ...install, signingCertificate, signature };
    const payload = { requestId, firmware, ...attemptsOf(attempts) };
    return call('SignedUpdateFirmware', payload, (answer) => ({ status: answer.status, requestId }));
  },

  transferData({ vendorId, messageId, data }) {
    const isText = data === undefined || typeof data === 'string';
    const payload = { vendorId, ...given('messageId', messageId), ...given('data', isText ? data : undefined) };
    return {
      ...call('DataTransfer', payload, (answer) => ({ status: answer.status, data: answer.data ?? null })),
      issues: isText ? [] : [{ path: '/data', message: 'is a text in OCPP 1.6' }],
    };
  },
  reserve: ({ reservationId, socketId, rfidTag, parentRfidTag, connectorType, expiresAt }) => ({
    ...status('ReserveNow', {
      reservationId,
      connectorId: socketId ?? 0,
      idTag: rfidTag,
      ...given('parentIdTag', parentRfidTag),
      expiryDate: expiresAt,
    }),
    issues: onlyIn2('/connectorType', connectorType !== undefined),
  }),
  cancelReservation: ({ reservationId }) => status('CancelReservation', { reservationId }),

  sendLocalList: ({ listVersion, updateType, tags }, _stored, version) => ({
    issues: issuesOfList(updateType, tags),
    ...status('SendLocalList', {
      listVersion,
      updateType,
      localAuthorizationList: tags.map(({ rfidTag, status: standing, ...tag }) => ({
        idTag: rfidTag,
        ...(standing === undefined
          ? {}
          : {
              idTagInfo: {
                status: standing,
                ...given('expiryDate', tag.expiringDate),
                ...given('parentIdTag', tag.parentRfidTag ?? carriedParent(version, tag.inheritedParentRfidTag)),
              },
            }),
      })),
    }),
  }),
  getLocalListVersion: () => call('GetLocalListVersion', {}, ({ listVersion }) => ({ listVersion })),

  setChargingProfile: ({ socketId, chargingProfile }) => ({
    ...status('SetChargingProfile', { connectorId: socketId ?? 0, csChargingProfiles: profileOf(chargingProfile) }),
    issues: issuesOfSchedules(chargingProfile),
  }),
  clearChargingProfile: ({ chargingProfileId, socketId, chargingProfilePurpose, stackLevel }) =>
    status('ClearChargingProfile', {
      ...given('id', chargingProfileId),
      ...given('connectorId', socketId),
      ...given('chargingProfilePurpose', chargingProfilePurpose),
      ...given('stackLevel', stackLevel),
    }),
  getCompositeSchedule: ({ socketId, durationS, chargingRateUnit }) =>
    call(
      'GetCompositeSchedule',
      { connectorId: socketId ?? 0, duration: durationS, ...given('chargingRateUnit', chargingRateUnit) },
      (answer) => ({
        status: answer.status,
        socketId: answer.connectorId ?? null,
        scheduleStart: answer.scheduleStart ?? null,
        chargingSchedule: answer.chargingSchedule ?? null,
      }),
    ),

  getConfiguration: ({ configNames }) =>
    call('GetConfiguration', given('key', configNames), ({ configurationKey = [], unknownKey = [] }) => ({
      configuration: configurationKey.map(({ key, value, readonly }) => ({
        configName: key,
        configValue: value ?? '',
        canBeChanged: !readonly,
      })),
      unknownConfigNames: unknownKey,
    })),
  changeConfiguration: ({ configName, configValue }) =>
    status('ChangeConfiguration', { key: configName, value: configValue }),
};

/** A list of one schedule is that schedule. */
function profileOf(profile: ChargingProfile) {
  const [schedule = NO_SCHEDULE] = schedulesOf(profile);
  return { ...profile, chargingSchedule: schedule };
}

function issuesOfSchedules(profile: ChargingProfile): readonly InputIssue[] {
  return onlyIn2('/chargingProfile/chargingSchedule', schedulesOf(profile).length !== 1, 'is one schedule in OCPP 1.6');
}

/** A field that this version cannot carry. */
function onlyIn2(path: string, isGiven: boolean, message = 'is a field of OCPP 2.x'): readonly InputIssue[] {
  return isGiven ? [{ path, message }] : [];
}

interface Attempts {
  readonly retries?: number;
  readonly retryIntervalS?: number;
}

function attemptsOf({ retries, retryIntervalS }: Attempts) {
  return { ...given('retries', retries), ...given('retryInterval', retryIntervalS) };
}
