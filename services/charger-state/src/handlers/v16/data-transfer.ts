import { storeEvent } from '../shared/store-event';
import type { CallHandler } from './route';

/** Answers one vendor message. */
export type VendorMessage = (data: unknown) => { readonly status: 'Accepted' | 'Rejected'; readonly data?: string };

/** By vendor id, then by message id ('' for none). */
export type VendorMessages = ReadonlyMap<string, ReadonlyMap<string, VendorMessage>>;

/** No vendor's extension is known to the service. */
const NO_VENDORS: VendorMessages = new Map();

/** OCPP 1.6 4.3. Stores the message. Answers UnknownVendorId or UnknownMessageId where nothing handles it (rule 59). */
export function dataTransferOf(vendors: VendorMessages): CallHandler<'DataTransfer'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      const { vendorId, messageId = '', data } = report.payload;
      const messages = vendors.get(vendorId);
      if (messages === undefined) return { charger, answer: { status: 'UnknownVendorId' } };
      return { charger, answer: messages.get(messageId)?.(data) ?? { status: 'UnknownMessageId' } };
    },
  };
}

export const dataTransfer = dataTransferOf(NO_VENDORS);
