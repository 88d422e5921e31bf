// The types of OCPP 2.0.1 and 2.1 for their handlers, and the rows of their tables.
import type { V2Action as Action, V2Requests, V2Responses } from '@busbar/ocpp';
import type { Handler } from '../../pipeline/contract';
import { typedRoutes, type TypedOutcome } from '../shared/typed-routes';

export type { Action };
export type RequestOf<A extends Action> = V2Requests[A];
export type ResponseOf<A extends Action> = V2Responses[A];

/** Handles a CALL from the charger. */
export type CallHandler<A extends Action> = Handler<RequestOf<A>, ResponseOf<A>>;
/** The end of a CALL to the charger. */
export type Outcome<A extends Action> = TypedOutcome<RequestOf<A>, ResponseOf<A>>;
/** Handles the result of a CALL to the charger. */
export type OutcomeHandler<A extends Action> = Handler<Outcome<A>>;

export const { route, outcome, reportedRequest, responseOf } = typedRoutes<V2Requests, V2Responses>();
