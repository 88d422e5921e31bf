import type { Handler } from '../handler';
import { keepEvent } from '../shared/keep-event';

interface DataTransfer {
  readonly vendorId: string;
  readonly messageId?: string;
  readonly data?: unknown;
}

/** What a vendor's message is answered with; the data, where there is any. */
export type VendorMessage = (data: unknown) => { readonly status: 'Accepted' | 'Rejected'; readonly data?: string };

/** By vendor id, then by message id ('' for none). */
export type VendorMessages = ReadonlyMap<string, ReadonlyMap<string, VendorMessage>>;

/** No vendor's extension is known to the service. */
const NO_VENDORS: VendorMessages = new Map();

/**
 * OCPP 1.6 4.3: what was sent is kept. A vendor of whom nothing is known is answered UnknownVendorId, a message that is not
 * among those of its vendor UnknownMessageId (rule 59).
 */
export function dataTransferOf(vendors: VendorMessages): Handler<DataTransfer> {
  return {
    apply(charger, report, context) {
      keepEvent(charger, report, context);
      const { vendorId, messageId = '', data } = report.payload;
      const messages = vendors.get(vendorId);
      if (messages === undefined) return { charger, answer: { status: 'UnknownVendorId' } };
      return { charger, answer: messages.get(messageId)?.(data) ?? { status: 'UnknownMessageId' } };
    },
  };
}

export const dataTransfer = dataTransferOf(NO_VENDORS);
