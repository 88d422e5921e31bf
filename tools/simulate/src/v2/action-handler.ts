import type { V2Action, V2Requests, V2Responses } from '@busbar/ocpp';
import type { ChargerControl } from '../charger/control';
import type { Translation } from './translation';

/** A charger of OCPP 2.x as its actions see it. */
export interface Control2 extends ChargerControl {
  readonly translation: Translation;
  /** Whether messages of transactions wait to be sent. */
  readonly hasQueued: () => boolean;
}

interface Reply2<A extends V2Action> {
  readonly answer: V2Responses[A];
  readonly then?: (() => void | Promise<void>) | undefined;
}

/** By action. The requests were validated against their schemas. */
export type ActionHandlers2 = {
  readonly [A in V2Action]?: (control: Control2, request: V2Requests[A]) => Reply2<A>;
};
