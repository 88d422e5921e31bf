// Handlers of messages that change no record: the service stores each as an event, and a decision has a fixed answer.
import type { Handler, Report } from '../../pipeline/contract';
import { storeEvent } from '../shared/store-event';
import type { Action, CallHandler, RequestOf, ResponseOf } from './route';

/** Stores the message as an event. */
export const storedOnly: Handler = {
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    return { charger };
  },
};

/** The same, with this answer. */
export function answeredBy<A extends Action>(answer: (report: Report<RequestOf<A>>) => ResponseOf<A>): CallHandler<A> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      return { charger, answer: answer(report) };
    },
  };
}
