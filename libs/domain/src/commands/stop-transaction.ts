import { AppError } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { isOpen, type Session } from '../sessions/session';
import type { SessionReader } from '../sessions/session-reader';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import type { Commanded } from './record-command';

export interface StopTransactionDeps extends CallChargerDeps {
  readonly sessions: Pick<SessionReader, 'findByTransactions'>;
}

/**
 * Asks the charger to end a session. Throws as `callCharger` does; `not_found` for a transaction that is unknown or
 * another charger's; `transaction_ended`; `not_supported_by_version` for one that began in another version than the charger speaks.
 */
export function stopTransaction<Answer extends object>(
  deps: StopTransactionDeps,
  owner: ChargerOwner,
  transactionId: number,
  command: Omit<ChargerCommand<Answer>, 'check' | 'stored'>,
): Promise<Answer & Commanded> {
  return callCharger(deps, owner, {
    ...command,
    async stored(charger) {
      const session = await sessionAt(deps, charger, transactionId);
      // A superseded session may still be open at the charger: only its stop is missing.
      if (!isOpen(session)) {
        throw new AppError('transaction_ended', `The transaction ${String(transactionId)} has ended already.`);
      }
      return { deviceTransactionId: session.device?.id };
    },
  });
}

/**
 * Sends the charger of a session, ended or not, a command about it. Throws as `callCharger` does; `not_found` for a session that is unknown, another client's or of a deleted charger; `not_supported_by_version` for one that began in OCPP 1.6.
 */
export async function callAboutSession<Answer extends object>(
  deps: StopTransactionDeps,
  { clientId, transactionId }: { readonly clientId: string; readonly transactionId: number },
  command: Omit<ChargerCommand<Answer>, 'check' | 'stored'>,
): Promise<Answer & Commanded> {
  const [session] = await deps.sessions.findByTransactions([transactionId]);
  if (session?.clientId !== clientId) {
    throw new AppError('not_found', `There is no session ${String(transactionId)}.`);
  }
  return readTransactionStatus(deps, { clientId, chargerId: session.chargerId }, transactionId, command);
}

/**
 * Asks the charger about a session, ended or not; without one, about all. Throws as `callCharger` does; `not_found` for a transaction
 * that is unknown or another charger's; `not_supported_by_version` for one that began in OCPP 1.6.
 */
export function readTransactionStatus<Answer extends object>(
  deps: StopTransactionDeps,
  owner: ChargerOwner,
  transactionId: number | undefined,
  command: Omit<ChargerCommand<Answer>, 'check' | 'stored'>,
): Promise<Answer & Commanded> {
  if (transactionId === undefined) return callCharger(deps, owner, command);
  return callCharger(deps, owner, {
    ...command,
    stored: async (charger) => ({
      deviceTransactionId: (await sessionAt(deps, charger, transactionId)).device?.id,
    }),
  });
}

/**
 * Sends the charger a message for its display; `transactionId`: the session with which it ends, ended or not. Throws as
 * `readTransactionStatus` does.
 */
export function setDisplayMessage<Answer extends object>(
  deps: StopTransactionDeps,
  owner: ChargerOwner,
  transactionId: number | undefined,
  command: Omit<ChargerCommand<Answer>, 'check' | 'stored'>,
): Promise<Answer & Commanded> {
  return readTransactionStatus(deps, owner, transactionId, command);
}

async function sessionAt(
  { sessions }: Pick<StopTransactionDeps, 'sessions'>,
  { chargerId, incarnationId }: Charger,
  transactionId: number,
): Promise<Session> {
  const [session] = await sessions.findByTransactions([transactionId]);
  if (session?.incarnationId !== incarnationId) {
    throw new AppError('not_found', `There is no transaction ${String(transactionId)} at the charger ${chargerId}.`);
  }
  return session;
}
