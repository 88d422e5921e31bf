import type { DecisionAction, ReportAction } from './action';
import type { DeviationKind, Tolerance } from './deviation';
import { errorCode, errorDescription, type Situation } from './error-codes';
import { serialiseError, type CallFrame, type MessageRef } from './frame';
import type { Protocol } from './protocol';
import { validateRequest, type Refusal } from './validator';

export interface AcceptedCall {
  readonly ok: true;
  readonly action: ReportAction | DecisionAction;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of the frame and of the payload. */
  readonly deviations: readonly DeviationKind[];
  /** The payload is not the one that came. */
  readonly repaired?: true;
}

/** Judges a charger's CALL: is its action known, is it the charger's to send, does the payload fit. */
export function acceptCall(protocol: Protocol, call: CallFrame, tolerance: Tolerance): AcceptedCall | Refusal {
  const action = protocol.actions.get(call.action);
  if (action === undefined) return refuse('unknown_action');
  if (action.from === 'us') return refuse('action_not_for_us');
  const checked = validateRequest(protocol, call.action, call.payload, tolerance);
  if (!checked.ok) return checked;
  const deviations = call.deviations.length === 0 ? checked.deviations : [...call.deviations, ...checked.deviations];
  const accepted: AcceptedCall = { ok: true, action, payload: checked.payload, deviations };
  return checked.repaired === true ? { ...accepted, repaired: true } : accepted;
}

/** The CALLERROR for a situation as text; undefined where this version does not answer it. */
export function errorAnswer(
  protocol: Protocol,
  call: MessageRef,
  situation: Situation,
  description: string = errorDescription(situation),
): string | undefined {
  const code = errorCode(protocol.version, situation);
  return code === undefined ? undefined : serialiseError(call, code, description);
}

function refuse(situation: Situation): Refusal {
  return { ok: false, situation, description: errorDescription(situation) };
}
