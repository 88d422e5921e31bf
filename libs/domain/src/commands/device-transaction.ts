import type { Charger } from '../chargers/charger';
import type { StoredFacts } from './call-charger';

/** A transaction of the charger, by our id or by its socket. */
export interface MeantTransaction {
  readonly transactionId?: number | undefined;
  readonly socketId?: number | undefined;
}

/** Finds the charger's own id of an ongoing transaction, for what is sent about it. */
export function deviceTransactionOf({ transactionId, socketId }: MeantTransaction) {
  return ({ reported }: Charger): Promise<StoredFacts> => {
    const ongoing = Object.values(reported.ongoing).find((each) =>
      transactionId === undefined ? each.socketId === socketId : each.transactionId === transactionId,
    );
    return Promise.resolve({ deviceTransactionId: ongoing?.device?.id });
  };
}
