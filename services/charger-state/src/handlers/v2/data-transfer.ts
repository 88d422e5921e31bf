import { storeEvent } from '../shared/store-event';
import type { CallHandler } from './route';

/** OCPP 2.0.1, P02. Stores the message. No vendor's messages are known: DataTransfer is an extension point of OCPP. */
export const dataTransfer: CallHandler<'DataTransfer'> = {
  apply(charger, report, context) {
    const { data } = storeEvent(charger, report, context);
    const { vendorId, messageId = null } = report.payload;
    context.events.emit('charger.data_transfer', { vendorId, messageId, data: data ?? null });
    return { charger, answer: { status: 'UnknownVendorId' } };
  },
};
