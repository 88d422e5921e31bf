import type { CallOutcome } from '@busbar/contracts';
import { withAvailability } from '../shared/availability';
import type { Handler } from '../handler';
import { exchangeOf } from './exchange';

const TYPES = ['Operative', 'Inoperative'] as const;

/** How our ChangeAvailability ended (OCPP 1.6 5.2). */
export const changeAvailabilityOutcome: Handler<CallOutcome> = {
  apply(charger, report, { position }) {
    const exchange = exchangeOf('ChangeAvailability', report);
    if (exchange === undefined) return { charger };
    const { status, request } = exchange;
    const isScheduled = status === 'Scheduled';
    const to = TYPES.find((type) => type === request.type);
    if (to === undefined || (status !== 'Accepted' && !isScheduled)) return { charger };
    const change = { socketId: request.connectorId, to, isScheduled, at: report.receivedAt, position };
    return { charger: withAvailability(charger, change) };
  },
};
