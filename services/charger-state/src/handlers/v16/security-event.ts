import type { Handler } from '../handler';
import { keepEvent } from '../shared/keep-event';

/** OCPP 1.6 security whitepaper, 5.8: kept. */
export const securityEventNotification: Handler<unknown> = {
  apply(charger, report, context) {
    keepEvent(charger, report, context);
    return { charger };
  },
};
