// The local list and reservations of OCPP 2.x.
import { localListActions } from '../actions/local-list';
import { reservationActions } from '../actions/reservations';
import { tagInfoOf } from './messages';
import type { ActionHandlers2 } from './action-handler';

/** OCPP 2.0.1, D02: no list is installed. */
const NO_VERSION = 0;

export const listActions: ActionHandlers2 = {
  /** OCPP 2.0.1, D02. */
  GetLocalListVersion(control) {
    const { listVersion = NO_VERSION } = localListActions.GetLocalListVersion?.(control, {}).answer ?? {};
    return { answer: { versionNumber: Math.max(NO_VERSION, listVersion) } };
  },

  /** D01. */
  SendLocalList(control, { versionNumber, updateType, localAuthorizationList = [] }) {
    const entries = localAuthorizationList.map(({ idToken: { idToken }, idTokenInfo }) => ({
      idTag: idToken,
      ...(idTokenInfo === undefined ? {} : { idTagInfo: tagInfoOf(idTokenInfo) }),
    }));
    const type = updateType === 'Full' ? ('Full' as const) : ('Differential' as const);
    const update = { listVersion: versionNumber, updateType: type, localAuthorizationList: entries };
    const status = localListActions.SendLocalList?.(control, update).answer.status ?? 'Failed';
    return { answer: { status: status === 'NotSupported' ? 'Failed' : status } };
  },

  /** H01. */
  ReserveNow(control, { id, evseId = 0, expiryDateTime, idToken, groupIdToken }) {
    const reply = reservationActions.ReserveNow?.(control, {
      reservationId: id,
      connectorId: evseId,
      expiryDate: expiryDateTime,
      idTag: idToken.idToken,
      ...(groupIdToken === undefined ? {} : { parentIdTag: groupIdToken.idToken }),
    });
    return { answer: { status: reply?.answer.status ?? 'Rejected' }, then: reply?.then };
  },

  /** H02. */
  CancelReservation(control, { reservationId }) {
    const reply = reservationActions.CancelReservation?.(control, { reservationId });
    return { answer: { status: reply?.answer.status ?? 'Rejected' }, then: reply?.then };
  },
};
