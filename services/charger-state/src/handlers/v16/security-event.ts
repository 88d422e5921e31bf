import { keepEvent } from '../shared/keep-event';
import type { CallHandler } from './route';

/** OCPP 1.6 security whitepaper, 5.8. Stores the event. */
export const securityEventNotification: CallHandler<'SecurityEventNotification'> = {
  apply(charger, report, context) {
    keepEvent(charger, report, context);
    return { charger };
  },
};
