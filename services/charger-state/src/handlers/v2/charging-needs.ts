// What a vehicle needs and plans (OCPP 2.0.1, K15 to K17): stored with the session in progress at its EVSE, and an event.
import type { Charger } from '@busbar/domain/chargers';
import type { InstalledProfile } from '@busbar/domain/device-state';
import type { DeviceTransaction } from '@busbar/domain/sessions';
import { placeOfSocket } from '@busbar/ocpp';
import type { HandlerContext, Needs } from '../../pipeline/contract';
import { storeEvent } from '../shared/store-event';
import type { CallHandler, ResponseOf } from './route';
import { ongoingAtEvse } from './transactions/ongoing-at-evse';
import { putTransaction } from './transactions/put-transaction';
import { isTransactionSession } from './transactions/transaction-session';

type Vehicle = Pick<DeviceTransaction, 'chargingNeeds' | 'chargingSchedule'>;

/** Of each of both as JSON: sessions are listed with them. A larger one is an event alone. */
const MAX_CHARACTERS = 8_000;
const VERSION_WITH_NO_PROFILE = 'ocpp2.1';

/** A profile that is set stands; else the client may be about to set one; else the vehicle charges as it does without. */
export const notifyEVChargingNeeds: CallHandler<'NotifyEVChargingNeeds'> = {
  prepare(needs, charger, { payload: { evseId } }) {
    needs.deviceStates(charger.chargerId);
    needSession(needs, charger, evseId);
  },
  apply(charger, report, context) {
    const { evseId } = report.payload;
    const chargingNeeds = storeEvent(charger, report, context);
    storeWithSession(charger, evseId, { chargingNeeds }, context);
    return { charger, answer: { status: answerOf(charger, report, context) } };
  },
};

export const notifyEVChargingSchedule: CallHandler<'NotifyEVChargingSchedule'> = {
  prepare: (needs, charger, { payload }) => needSession(needs, charger, payload.evseId),
  apply(charger, report, context) {
    const chargingSchedule = storeEvent(charger, report, context);
    storeWithSession(charger, report.payload.evseId, { chargingSchedule }, context);
    return { charger };
  },
};

function needSession(needs: Needs, charger: Charger, evseId: number): void {
  const ongoing = ongoingAtEvse(charger, evseId);
  if (ongoing !== undefined) needs.transaction(ongoing.transactionId);
}

function storeWithSession(charger: Charger, evseId: number, vehicle: Vehicle, context: HandlerContext): void {
  const session = context.lookups.sessionOfTransaction(ongoingAtEvse(charger, evseId)?.transactionId);
  if (!isTransactionSession(session)) return;
  const { device } = session;
  const [text, known] = [JSON.stringify(vehicle), JSON.stringify(partsOf(device, vehicle))];
  // The same once more, or one that is delivered again.
  if (text.length > MAX_CHARACTERS || text === known) return;
  const changed = { ...session, device: { ...device, ...vehicle, revision: device.revision + 1 } };
  putTransaction(changed, { before: session }, context);
}

function partsOf(device: DeviceTransaction, { chargingNeeds }: Vehicle): Vehicle {
  const { chargingNeeds: needs, chargingSchedule: schedule } = device;
  if (chargingNeeds !== undefined) return needs === undefined ? {} : { chargingNeeds: needs };
  return schedule === undefined ? {} : { chargingSchedule: schedule };
}

function answerOf(
  charger: Charger,
  { payload: { evseId }, ocppVersion }: { readonly payload: { readonly evseId: number }; readonly ocppVersion: string },
  { lookups }: HandlerContext,
): ResponseOf<'NotifyEVChargingNeeds'>['status'] {
  const ongoing = ongoingAtEvse(charger, evseId);
  const { installed } = lookups.deviceStates(charger).profiles;
  if (installed.some((profile) => limits(profile, evseId, ongoing))) return 'Accepted';
  if (charger.registered.chargingNeeds === 'processing') return 'Processing';
  return ocppVersion === VERSION_WITH_NO_PROFILE ? 'NoChargingProfile' : 'Rejected';
}

/** Whether the client set the profile for the charger whole, or for the transaction at the EVSE. */
function limits(
  { purpose, source, socketId, transactionId, forStart, commandId }: InstalledProfile,
  evseId: number,
  ongoing: { readonly transactionId: number; readonly commandId?: string } | undefined,
): boolean {
  if (source !== undefined) return false;
  if (purpose !== 'TxProfile') return purpose === 'ChargePointMaxProfile';
  if (forStart) return commandId !== null && commandId === ongoing?.commandId;
  if (transactionId !== null) return transactionId === ongoing?.transactionId;
  return socketId !== null && placeOfSocket(socketId)?.evseId === evseId;
}
