// RequestStartTransaction, RequestStopTransaction, GetTransactionStatus, CostUpdated, UnlockConnector and the charging profiles of OCPP 2.x.
import { chargingProfileActions } from '../actions/charging-profiles';
import { sessionActions } from '../actions/sessions';
import { socketOf } from '../charger/charger-state';
import type { Translation } from './translation';
import { notifyInParts } from './parts';
import { criteriaOf, matches, profileOf, reportedOf } from './profiles';
import type { ActionHandlers2 } from './action-handler';

export const sessionActions2: ActionHandlers2 = {
  /** OCPP 2.0.1, F01 and F02. */
  RequestStartTransaction(control, { evseId, idToken: { idToken: idTag }, remoteStartId, chargingProfile }) {
    const profile = chargingProfile && profileOf(chargingProfile, numberIn(control.translation));
    const isBadProfile = chargingProfile !== undefined && profile === undefined;
    const reply = isBadProfile
      ? undefined
      : sessionActions.RemoteStartTransaction?.(control, {
          idTag,
          ...(evseId === undefined ? {} : { connectorId: evseId }),
          ...(profile === undefined ? {} : { chargingProfile: profile }),
        });
    const { then } = reply ?? {};
    return {
      answer: { status: reply?.answer.status ?? 'Rejected' },
      then: then && (() => control.translation.duringRemoteStart(idTag, remoteStartId, then)),
    };
  },

  /** F03. */
  RequestStopTransaction(control, { transactionId }) {
    const number = numberIn(control.translation)(transactionId);
    const reply =
      number === undefined ? undefined : sessionActions.RemoteStopTransaction?.(control, { transactionId: number });
    return { answer: { status: reply?.answer.status ?? 'Rejected' }, then: reply?.then };
  },

  /** E14. */
  GetTransactionStatus({ translation, hasQueued }, { transactionId }) {
    const ongoing = transactionId === undefined ? {} : { ongoingIndicator: isOngoing(translation, transactionId) };
    return { answer: { ...ongoing, messagesInQueue: hasQueued() } };
  },

  /** I02. It has nowhere to show the costs. */
  CostUpdated: () => ({ answer: {} }),

  /** F05: not under a transaction. */
  UnlockConnector({ state }, { evseId, connectorId }) {
    const socket = connectorId === 1 ? socketOf(state, evseId) : undefined;
    if (socket === undefined) return { answer: { status: 'UnknownConnector' } };
    return { answer: { status: socket.session === undefined ? 'Unlocked' : 'OngoingAuthorizedTransaction' } };
  },

  /** K01. */
  SetChargingProfile(control, { evseId, chargingProfile }) {
    const profile = profileOf(chargingProfile, numberIn(control.translation));
    if (profile === undefined) return { answer: { status: 'Rejected' } };
    const request = { connectorId: evseId, csChargingProfiles: profile };
    const reply = chargingProfileActions.SetChargingProfile?.(control, request);
    return { answer: { status: reply?.answer.status ?? 'Rejected' }, then: reply?.then };
  },

  /** K09. A report has the profiles of one EVSE, so each profile is a part. */
  GetChargingProfiles({ state, translation }, { requestId, evseId, chargingProfile: criteria }) {
    const found = state.profiles.filter(
      (each) => (evseId ?? each.socket) === each.socket && matches(each.profile, criteria),
    );
    if (found.length === 0) return { answer: { status: 'NoProfiles' } };
    const idOf = (number: number) => translation.transactions.withNumber(number)?.id;
    const then = () =>
      notifyInParts(
        found,
        ([installed], { tbc }) =>
          installed === undefined
            ? Promise.resolve()
            : translation.notify('ReportChargingProfiles', {
                requestId,
                chargingLimitSource: 'CSO',
                evseId: installed.socket,
                tbc,
                chargingProfile: [reportedOf(installed.profile, idOf)],
              }),
        1,
      );
    return { answer: { status: 'Accepted' }, then };
  },

  /** K10. */
  ClearChargingProfile(control, request) {
    const reply = chargingProfileActions.ClearChargingProfile?.(control, criteriaOf(request));
    return { answer: { status: reply?.answer.status ?? 'Unknown' }, then: reply?.then };
  },
};

function numberIn({ transactions }: Translation): (transactionId: string) => number | undefined {
  return (transactionId) => transactions.withId(transactionId)?.number;
}

function isOngoing({ transactions }: Translation, transactionId: string): boolean {
  return transactions.withId(transactionId) !== undefined;
}
