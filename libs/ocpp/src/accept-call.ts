import type { DecisionAction, ReportAction } from './action';
import type { DeviationKind, Tolerance } from './deviation';
import { errorDescription, type Situation } from './error-codes';
import { serializeError, type CallFrame, type MessageRef, type SendFrame } from './frame';
import type { Protocol } from './protocol';
import { validateRequest, type Refusal, type ValidPayload } from './validator';

export interface AcceptedCall {
  readonly ok: true;
  readonly action: ReportAction | DecisionAction;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Those of the frame and of the payload. */
  readonly deviations: readonly DeviationKind[];
  /** `payload` differs from the received one. */
  readonly repaired?: true;
}

/** Checks a charger's CALL: its action is known, a charger may send it, and its payload fits the schema. */
export function acceptCall(protocol: Protocol, call: CallFrame, tolerance: Tolerance): AcceptedCall | Refusal {
  const action = protocol.actions.get(call.action);
  if (action === undefined) return refuse('unknown_action');
  if (action.kind === 'command' || action.kind === 'send') return refuse('action_not_for_us');
  const checked = validateRequest(protocol, call.action, call.payload, tolerance);
  if (!checked.ok) return checked;
  const deviations = call.deviations.length === 0 ? checked.deviations : [...call.deviations, ...checked.deviations];
  const answering = action.kind === 'variable' ? action.of(checked.payload) : action;
  const accepted: AcceptedCall = { ok: true, action: answering, payload: checked.payload, deviations };
  return checked.repaired === true ? { ...accepted, repaired: true } : accepted;
}

/** Checks a charger's SEND in the same way. */
export function acceptSend(protocol: Protocol, send: SendFrame, tolerance: Tolerance): ValidPayload | Refusal {
  if (protocol.actions.get(send.action)?.kind !== 'send') return refuse('unknown_action');
  return validateRequest(protocol, send.action, send.payload, tolerance);
}

/** The id under which a frame is answered: its own, where it has a usable one. Undefined: it is not answered. */
export function addresseeOf({ rpc }: Protocol, ref: MessageRef | undefined): MessageRef | undefined {
  if (rpc.anonymousId === undefined || (ref !== undefined && ref.id !== '')) return ref;
  return { id: rpc.anonymousId, numericId: false };
}

/** The CALLERROR for a situation as text; undefined where this version does not answer it. */
export function errorAnswer(
  protocol: Protocol,
  call: MessageRef,
  situation: Situation,
  description: string = errorDescription(situation),
): string | undefined {
  const code = protocol.errorCodes[situation];
  return code === undefined ? undefined : serializeError(call, code, description);
}

function refuse(situation: Situation): Refusal {
  return { ok: false, situation, description: errorDescription(situation) };
}
