// Binds each handler to its OCPP 1.6 action, and so to the generated types of that action's request and response. This is the
// one place where a payload that has passed its schema gets its type.
import type { CallOutcome, ReportEnvelope } from '@busbar/contracts';
import { parseJson } from '@busbar/core';
import {
  protocolOf,
  TOLERANT,
  validateRequest,
  type V16Action as Action,
  type V16Requests,
  type V16Responses,
} from '@busbar/ocpp';
import type { LinkOutcome } from '@busbar/domain/commands';
import type { Handler, Report } from '../../pipeline/contract';

export type { Action };
export type RequestOf<A extends Action> = V16Requests[A];
export type ResponseOf<A extends Action> = V16Responses[A];

/** Handles a CALL from the charger. */
export type CallHandler<A extends Action> = Handler<RequestOf<A>, ResponseOf<A>>;

/** Handles the result of a CALL to the charger. */
export type OutcomeHandler<A extends Action> = Handler<Outcome<A>>;

/** The end of a CALL to the charger. */
export interface Outcome<A extends Action> {
  readonly result: CallOutcome;
  /** The payload of the CALL, secrets masked. Undefined where it does not fit its schema: any CALL may be sent raw. */
  readonly request: RequestOf<A> | undefined;
  /** The CALLRESULT's payload, where the charger sent one. */
  readonly response: ResponseOf<A> | undefined;
  /** The `status` of the response; '' where it has none. */
  readonly status: string;
}

/** A row of the table of CALLs from the charger. The gateway has validated the payload against the schema of `action`. */
export function route<A extends Action>(action: A, handler: CallHandler<A>): readonly [string, Handler] {
  return [action, typed(handler, (report) => report as Report<RequestOf<A>>)];
}

/** A row of the table of CALLs to the charger. */
export function outcome<A extends Action>(action: A, handler: OutcomeHandler<A>): readonly [string, Handler] {
  return [action, typed(handler, (report) => ({ ...report, payload: outcomeOf(action, report) }))];
}

/** The payload of a report of this action, which the gateway has validated. Undefined for a report of another action. */
export function reportedRequest<A extends Action>(
  action: A,
  report: Pick<ReportEnvelope, 'action' | 'payload'>,
): RequestOf<A> | undefined {
  return report.action === action ? (report.payload as RequestOf<A>) : undefined;
}

/** The charger's response to a CALL of this action, which the gateway has validated. Undefined where it sent none. */
export function responseOf<A extends Action>(_action: A, result: LinkOutcome): ResponseOf<A> | undefined {
  return result.outcome === 'answered' ? (result.payload as ResponseOf<A>) : undefined;
}

function typed<Payload>(
  { prepare, apply, ...flags }: Handler<Payload>,
  read: (report: Report<unknown>) => Report<Payload>,
): Handler {
  return {
    ...flags,
    ...(prepare ? { prepare: (needs, charger, report) => prepare(needs, charger, read(report)) } : {}),
    apply: (charger, report, context) => apply(charger, read(report), context),
  };
}

function outcomeOf<A extends Action>(action: A, { payload, request }: Report<unknown>): Outcome<A> {
  const result = payload as CallOutcome;
  const response = responseOf(action, result);
  const status: unknown = response !== undefined && 'status' in response ? response.status : undefined;
  return {
    result,
    request: requestOf(action, request),
    response,
    status: typeof status === 'string' ? status : '',
  };
}

function requestOf<A extends Action>(action: A, call: string | undefined): RequestOf<A> | undefined {
  const protocol = protocolOf('ocpp1.6');
  if (call === undefined || protocol === undefined) return undefined;
  const checked = validateRequest(protocol, action, payloadOf(call), TOLERANT);
  return checked.ok ? (checked.payload as RequestOf<A>) : undefined;
}

function payloadOf(call: string): unknown {
  const frame = parseJson(call);
  return Array.isArray(frame) ? frame[3] : undefined;
}
