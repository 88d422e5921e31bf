import type { V16Action, V16Requests, V16Responses } from '@busbar/ocpp';
import type { ChargerControl } from '../charger/control';

/** The answer to a CALL, and what the charger does once it was sent. */
export interface ActionReply<A extends V16Action> {
  readonly answer: V16Responses[A];
  readonly then?: (() => void | Promise<void>) | undefined;
}

/** By action. The requests were validated against their schemas. */
export type ActionHandlers = {
  readonly [A in V16Action]?: (control: ChargerControl, request: V16Requests[A]) => ActionReply<A>;
};
