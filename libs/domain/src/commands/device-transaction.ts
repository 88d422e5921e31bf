import { AppError } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import type { StoredFacts } from './call-charger';

/** A transaction of the charger, by our id or by the socket at which it is. */
export interface MeantTransaction {
  readonly transactionId?: number | undefined;
  readonly isAt: (socketId: number) => boolean;
}

/**
 * Finds the charger's own id of an ongoing transaction, for what is sent about it. Throws for an id of ours that a charger of OCPP 2.x could
 * not be sent: `not_found` where no such transaction is ongoing, `not_supported_by_version` where it began in 1.6.
 */
export function deviceTransactionOf({ transactionId, isAt }: MeantTransaction) {
  return ({ chargerId, connection, reported }: Charger): Promise<StoredFacts> => {
    const ongoing = Object.values(reported.ongoing).find((each) =>
      transactionId === undefined ? isAt(each.socketId) : each.transactionId === transactionId,
    );
    // 1.6 has the id of ours itself.
    if (transactionId !== undefined && connection.ocppVersion !== 'ocpp1.6' && ongoing?.device === undefined) {
      const which = `transaction ${String(transactionId)} at the charger ${chargerId}`;
      throw ongoing === undefined
        ? new AppError('not_found', `There is no ongoing ${which}.`)
        : new AppError(
            'not_supported_by_version',
            `The ${which} began in OCPP 1.6, and cannot be named in another version.`,
          );
    }
    return Promise.resolve({ deviceTransactionId: ongoing?.device?.id });
  };
}
