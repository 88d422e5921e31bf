import { storeEvent } from '../shared/store-event';
import type { CallHandler } from './route';

/** OCPP 1.6 security whitepaper, 5.8. Stores the event. */
export const securityEventNotification: CallHandler<'SecurityEventNotification'> = {
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    return { charger };
  },
};
