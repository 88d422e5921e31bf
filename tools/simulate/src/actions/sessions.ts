// RemoteStartTransaction, RemoteStopTransaction and UnlockConnector.
import { socketOf } from '../charger/charger-state';
import { profileIssue } from '../charger/charging-profiles';
import type { ActionHandlers } from './action-handler';

export const sessionActions: ActionHandlers = {
  /** OCPP 1.6, 5.11. Without a connector: the first where this tag may start. */
  RemoteStartTransaction({ state, sessions }, { connectorId, idTag, chargingProfile: profile }) {
    const candidates = connectorId === undefined ? state.sockets.map(({ id }) => id) : [connectorId];
    const socketId = candidates.find((id) => sessions.issueOf(id, idTag) === undefined);
    const isBadProfile = profile !== undefined && !isTxProfile(socketId ?? 0, profile);
    if (socketId === undefined || isBadProfile) return { answer: { status: 'Rejected' } };
    const then = async (): Promise<void> => {
      await sessions.start({ socketId, idTag, isRemote: true, profile });
    };
    return { answer: { status: 'Accepted' }, then };
  },

  /** 5.12. */
  RemoteStopTransaction({ state, sessions }, { transactionId }) {
    const socket = state.sockets.find(({ session }) => session?.transactionId === transactionId);
    if (socket === undefined) return { answer: { status: 'Rejected' } };
    return { answer: { status: 'Accepted' }, then: () => void sessions.stop(socket, 'Remote') };
  },

  /** 5.18: a session at the connector ends first. */
  UnlockConnector({ state, sessions }, { connectorId }) {
    const socket = socketOf(state, connectorId);
    if (socket === undefined) return { answer: { status: 'NotSupported' } };
    return { answer: { status: 'Unlocked' }, then: () => void sessions.stop(socket, 'UnlockCommand') };
  },
};

type Profile = Parameters<typeof profileIssue>[1];

/** 5.11: the profile of a remote start is a TxProfile and names no transaction. */
function isTxProfile(socketId: number, profile: Profile): boolean {
  if (profile.chargingProfilePurpose !== 'TxProfile' || profile.transactionId !== undefined) return false;
  return profileIssue(socketId, profile) === undefined;
}
