// The fields of a report that come from the charger's frame.
import { compactFrame, hasCustomerData, oversize, type AcceptedCall, type CallFrame } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';

/** A CALL or SEND that has passed its schema. */
export interface AcceptedFrame {
  readonly frame: Pick<CallFrame, 'action' | 'id'>;
  readonly accepted: Omit<AcceptedCall, 'ok' | 'action'>;
  readonly text: string;
}

export interface PublishedWith {
  readonly receivedAt: Date;
  readonly holdMs: number;
  readonly answer?: string;
}

/** Without spreading: this runs for every message, and a spread copy makes every later read of a field slow. */
export function fieldsOf({ masker }: Connection, { frame, accepted, text }: AcceptedFrame, published: PublishedWith) {
  const raw = masker.frame(text);
  const rawBytes = oversize(text);
  return {
    action: frame.action,
    messageId: frame.id,
    payload: raw === text ? accepted.payload : masker.payload(accepted.payload),
    // Not cut: the payload travels in it.
    raw: rawBytes === undefined ? raw : compactFrame(raw),
    rawBytes,
    // The report of a customer's data goes to the operator who asked for it, and its frame to the log.
    repaired: raw !== text && hasCustomerData(frame.action) ? true : accepted.repaired,
    deviations: accepted.deviations.length === 0 ? undefined : accepted.deviations,
    receivedAt: published.receivedAt,
    holdMs: published.holdMs,
    answer: published.answer,
  };
}
