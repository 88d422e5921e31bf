// Binds each handler to its OCPP action, and so to the generated types of that action's request and response. This is the
// one place where a payload that has passed its schema gets its type.
import type { CallOutcome, ReportEnvelope } from '@busbar/contracts';
import { parseJson } from '@busbar/core';
import { protocolOf, TOLERANT, validateRequest } from '@busbar/ocpp';
import type { LinkOutcome } from '@busbar/domain/commands';
import type { CallPayload, Handler, Report } from '../../pipeline/contract';

/** The end of a CALL to the charger. */
export interface TypedOutcome<Request, Response> {
  readonly result: CallOutcome;
  /** The payload of the CALL, secrets masked. Undefined where it does not fit its schema: any CALL may be sent raw. */
  readonly request: Request | undefined;
  /** The CALLRESULT's payload, where the charger sent one. */
  readonly response: Response | undefined;
  /** The `status` of the response; '' where it has none. */
  readonly status: string;
}

type Payloads<T> = { readonly [Action in keyof T]: CallPayload };

/** The rows of the tables of one version, whose payloads by action are these. */
export function typedRoutes<Requests extends object, Responses extends Payloads<Responses>>() {
  type Action = keyof Requests & keyof Responses & string;
  return {
    /** A row of the table of CALLs from the charger. The gateway has validated the payload against the schema of `action`. */
    route<A extends Action>(action: A, handler: Handler<Requests[A], Responses[A]>): readonly [string, Handler] {
      return [action, typed(handler, (report) => report as Report<Requests[A]>)];
    },

    /** A row of the table of CALLs to the charger. */
    outcome<A extends Action>(
      action: A,
      handler: Handler<TypedOutcome<Requests[A], Responses[A]>>,
    ): readonly [string, Handler] {
      const outcomeOf = (report: Report<unknown>): TypedOutcome<Requests[A], Responses[A]> => {
        const result = report.payload as CallOutcome;
        const response = answerOf(result) as Responses[A] | undefined;
        const request = requestOf(action, report) as Requests[A] | undefined;
        return { result, request, response, status: statusOf(response) };
      };
      return [action, typed(handler, (report) => ({ ...report, payload: outcomeOf(report) }))];
    },

    /** The payload of a report of this action, which the gateway has validated. Undefined for a report of another action. */
    reportedRequest<A extends Action>(
      action: A,
      report: Pick<ReportEnvelope, 'action' | 'payload'>,
    ): Requests[A] | undefined {
      return report.action === action ? (report.payload as Requests[A]) : undefined;
    },

    /** The charger's response to a CALL of this action, which the gateway has validated. Undefined where it sent none. */
    responseOf<A extends Action>(_action: A, result: LinkOutcome): Responses[A] | undefined {
      return answerOf(result) as Responses[A] | undefined;
    },
  };
}

function typed<Payload, Answer extends CallPayload>(
  { prepare, apply, ...flags }: Handler<Payload, Answer>,
  read: (report: Report<unknown>) => Report<Payload>,
): Handler {
  return {
    ...flags,
    ...(prepare ? { prepare: (needs, charger, report) => prepare(needs, charger, read(report)) } : {}),
    apply: (charger, report, context) => apply(charger, read(report), context),
  };
}

function answerOf(result: LinkOutcome): CallPayload | undefined {
  return result.outcome === 'answered' ? result.payload : undefined;
}

function statusOf(response: unknown): string {
  if (typeof response !== 'object' || response === null || !('status' in response)) return '';
  return typeof response.status === 'string' ? response.status : '';
}

function requestOf(action: string, { request, ocppVersion }: Report<unknown>): CallPayload | undefined {
  const protocol = protocolOf(ocppVersion);
  if (request === undefined || protocol === undefined) return undefined;
  const checked = validateRequest(protocol, action, payloadOf(request), TOLERANT);
  return checked.ok ? checked.payload : undefined;
}

function payloadOf(call: string): unknown {
  const frame = parseJson(call);
  return Array.isArray(frame) ? frame[3] : undefined;
}
