import { storeEvent } from '../shared/store-event';
import type { HandlerContext, Report } from '../../pipeline/contract';
import type { CallHandler, RequestOf } from './route';

/** Answers one vendor message. */
export type VendorMessage = (data: unknown) => { readonly status: 'Accepted' | 'Rejected'; readonly data?: string };

/** By vendor id, then by message id ('' for none). */
export type VendorMessages = ReadonlyMap<string, ReadonlyMap<string, VendorMessage>>;

/** Vendors whose messages the service handles. None so far: DataTransfer is an extension point of OCPP. */
const VENDORS: VendorMessages = new Map();

/** OCPP 1.6 4.3. Stores the message. Answers UnknownVendorId or UnknownMessageId where nothing handles it (rule 59). */
export function dataTransferOf(vendors: VendorMessages): CallHandler<'DataTransfer'> {
  return {
    apply(charger, report, context) {
      const { data: masked } = storeEvent(charger, report, context);
      emitTransfer(report, masked, context);
      const { vendorId, messageId = '', data } = report.payload;
      const messages = vendors.get(vendorId);
      if (messages === undefined) return { charger, answer: { status: 'UnknownVendorId' } };
      return { charger, answer: messages.get(messageId)?.(data) ?? { status: 'UnknownMessageId' } };
    },
  };
}

function emitTransfer({ payload }: Report<RequestOf<'DataTransfer'>>, data: unknown, { events }: HandlerContext): void {
  const { vendorId, messageId = null } = payload;
  events.emit('charger.data_transfer', { vendorId, messageId, data: data ?? null });
}

export const dataTransfer = dataTransferOf(VENDORS);
