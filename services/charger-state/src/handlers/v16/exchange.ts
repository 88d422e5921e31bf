import type { CallOutcome } from '@busbar/contracts';
import { protocolOf, TOLERANT, validateRequest, type V16Requests } from '@busbar/ocpp';
import type { CallPayload, Report } from '../handler';

/** A CALL of ours that the charger answered. */
export interface Exchange<Request> {
  /** As it was sent, secrets masked. */
  readonly request: Request;
  readonly answer: CallPayload;
  /** The answer's own `status`; '' where it has none. */
  readonly status: string;
}

/**
 * What we asked for and what the charger answered; undefined where it answered nothing that its version allows. What was
 * asked is held against its schema again: anything may be sent raw, by callers of any age.
 */
export function exchangeOf<A extends keyof V16Requests>(
  action: A,
  { payload, request }: Report<CallOutcome>,
): Exchange<V16Requests[A]> | undefined {
  const asked = requestOf(action, request);
  if (payload.outcome !== 'answered' || asked === undefined) return undefined;
  const { status } = payload.payload;
  return { request: asked, answer: payload.payload, status: typeof status === 'string' ? status : '' };
}

/** The payload of a CALL of ours, by its frame. */
export function requestOf<A extends keyof V16Requests>(
  action: A,
  call: string | undefined,
): V16Requests[A] | undefined {
  const protocol = protocolOf('ocpp1.6');
  if (call === undefined || protocol === undefined) return undefined;
  const asked = validateRequest(protocol, action, payloadOf(call), TOLERANT);
  // The schema of this very action has just let it pass.
  return asked.ok ? (asked.payload as V16Requests[A]) : undefined;
}

function payloadOf(call: string): unknown {
  try {
    const frame: unknown = JSON.parse(call);
    return Array.isArray(frame) ? frame[3] : undefined;
  } catch {
    return undefined;
  }
}
