import { socketIdOf } from '@busbar/ocpp';
import { storeMeterValues } from './meter-rows';
import { ongoingAtEvse } from './transactions/ongoing-at-evse';
import type { CallHandler } from './route';

/** OCPP 2.0.1, J01. Stored as sent, with the session that is in progress at the EVSE. EVSE 0 is the charger itself. */
export const meterValues: CallHandler<'MeterValues'> = {
  apply(charger, report, context) {
    const { evseId, meterValue } = report.payload;
    const ongoing = ongoingAtEvse(charger, evseId);
    storeMeterValues(
      charger,
      report,
      {
        socketId: ongoing?.socketId ?? (evseId === 0 ? 0 : (socketIdOf({ evseId, connectorId: 1 }) ?? null)),
        transactionId: ongoing?.transactionId ?? null,
        sessionId: ongoing?.sessionId ?? null,
        meterValue,
      },
      context,
    );
    return { charger };
  },
};
