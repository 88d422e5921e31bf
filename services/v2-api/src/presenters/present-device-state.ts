import type { Timestamp } from '@busbar/domain';
import { isOfOcpp16, type Charger, type Progress } from '@busbar/domain/chargers';
import type { TransferKind, TransferStep } from '@busbar/domain/commands';
import {
  certificateIdOf,
  OWN_SOURCE,
  reservationState,
  type InstalledCertificate,
  type InstalledProfile,
  type LocalListEntry,
  type Reservation,
  type ShownMessage,
} from '@busbar/domain/device-state';

export function presentReservation(reservation: Reservation, now: Timestamp) {
  const { reservationId, socketId, idTag, parentIdTag, expiryDate, transactionId, reservedAt, commandId } = reservation;
  return {
    reservationId,
    socketId,
    rfidTag: idTag,
    parentRfidTag: parentIdTag,
    expiresAt: expiryDate,
    state: reservationState(reservation, now),
    transactionId,
    reservedAt,
    commandId,
  };
}

export function presentProfile({ profileId, socketId, purpose, profile, ...installed }: InstalledProfile) {
  return {
    chargingProfileId: profileId,
    socketId: socketId === 0 ? null : socketId,
    chargingProfilePurpose: purpose,
    stackLevel: installed.stackLevel,
    source: installed.source ?? OWN_SOURCE,
    transactionId: installed.transactionId,
    setAt: installed.setAt,
    commandId: installed.commandId,
    chargingProfile: { ...profile },
    scheduleUpdate: installed.update === undefined ? null : { ...installed.update.values },
  };
}

export function presentLocalListTag({ idTag, status, expiryDate, parentIdTag }: LocalListEntry) {
  return { rfidTag: idTag, status, expiringDate: expiryDate, parentRfidTag: parentIdTag };
}

export function presentCertificate({ type, hashData, children }: InstalledCertificate) {
  const certificateId = certificateIdOf(hashData);
  return { certificateId, type, hashData: { ...hashData }, children: children.map((child) => ({ ...child })) };
}

export function presentDisplayMessage(message: ShownMessage) {
  const { id, priority, state, startDateTime, endDateTime, transactionId, display, setAt, commandId } = message;
  return {
    id,
    priority,
    state: state ?? null,
    startDateTime: startDateTime ?? null,
    endDateTime: endDateTime ?? null,
    transactionId,
    display: display === undefined ? null : { ...display },
    message: presentContent(message.message),
    messageExtra: message.messageExtra?.map(presentContent) ?? [],
    setAt,
    commandId,
  };
}

function presentContent({ format, language, content }: ShownMessage['message']) {
  return { format, language: language ?? null, content };
}

export function presentFirmware({ chargerId, reported }: Charger, steps: readonly TransferStep[]) {
  const last = lastRequest(steps, 'firmware');
  return {
    chargerId,
    firmware: reported.boot?.firmware ?? '',
    ...presentProgress(reported.firmware),
    lastRequest: last && {
      ...last.common,
      retrieveAt: last.request.retrieveAt,
      installAt: last.request.installAt,
      signed: last.request.isSigned,
    },
    history: steps.map(presentStep),
  };
}

/** OCPP 2.x uploads logs alone: its diagnostics are one of them, so that a client of 1.6 finds them where it looks. */
export function presentDiagnostics(charger: Charger, steps: readonly TransferStep[]) {
  const { chargerId, reported } = charger;
  const log = { ...presentProgress(reported.log), lastRequest: presentUpload(steps, 'log') };
  const own = { ...presentProgress(reported.diagnostics), lastRequest: presentUpload(steps, 'diagnostics') };
  return {
    chargerId,
    diagnostics: isOfOcpp16(charger) ? own : log,
    log,
    history: steps.map(presentStep),
  };
}

function presentUpload(steps: readonly TransferStep[], kind: TransferKind) {
  const last = lastRequest(steps, kind);
  if (last === null) return null;
  const { startTime, stopTime, logType, fileName } = last.request;
  return { ...last.common, startTime, stopTime, logType, fileName };
}

function lastRequest(steps: readonly TransferStep[], kind: TransferKind) {
  for (const step of steps) {
    if (step.kind !== kind || !('request' in step)) continue;
    const { location, retries, retryIntervalS, requestId, status, commandId } = step.request;
    const common = { location, retries, retryIntervalS, requestId, status, requestedAt: step.at, commandId };
    return { request: step.request, common };
  }
  return null;
}

function presentProgress(progress: Progress | null) {
  return {
    status: progress?.status ?? null,
    statusAt: progress?.at ?? null,
    statusRequestId: progress?.requestId ?? null,
  };
}

function presentStep(step: TransferStep) {
  const { status, requestId } = 'request' in step ? step.request : step.progress;
  const name = 'request' in step ? ('requested' as const) : ('progressed' as const);
  return { at: step.at, what: step.kind, step: name, status, requestId };
}
