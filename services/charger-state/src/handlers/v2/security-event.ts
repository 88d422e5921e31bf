import { deviceTimeOf, statedMsOf } from '../shared/clock-check';
import { storeEvent } from '../shared/store-event';
import type { CallHandler } from './route';

/** OCPP 2.0.1, A04. Stores the event. */
export const securityEventNotification: CallHandler<'SecurityEventNotification'> = {
  apply(charger, report, context) {
    const { techInfo } = storeEvent(charger, report, context);
    const { type, timestamp } = report.payload;
    context.events.emit('charger.security_event', {
      type,
      techInfo: typeof techInfo === 'string' ? techInfo : null,
      deviceTime: deviceTimeOf(statedMsOf(timestamp)),
    });
    return { charger };
  },
};
