// The types of OCPP 1.6 for its handlers, and the rows of their tables.
import type { V16Action as Action, V16Requests, V16Responses } from '@busbar/ocpp';
import type { Handler } from '../../pipeline/contract';
import { typedRoutes, type TypedOutcome } from '../shared/typed-routes';

export type { Action };
export type RequestOf<A extends Action> = V16Requests[A];
export type ResponseOf<A extends Action> = V16Responses[A];

/** Handles a CALL from the charger. */
export type CallHandler<A extends Action> = Handler<RequestOf<A>, ResponseOf<A>>;
/** The end of a CALL to the charger. */
export type Outcome<A extends Action> = TypedOutcome<RequestOf<A>, ResponseOf<A>>;
/** Handles the result of a CALL to the charger. */
export type OutcomeHandler<A extends Action> = Handler<Outcome<A>>;

export const { route, outcome, reportedRequest, responseOf } = typedRoutes<V16Requests, V16Responses>();
