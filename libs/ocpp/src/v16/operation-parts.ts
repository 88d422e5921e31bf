// CALLs of OCPP 1.6 with the types of their actions.
import type { Status, VersionCall } from '../operations/operation';
import type { V16Action, V16Requests, V16Responses } from './payloads';

/** The gateway has validated the answer against its schema, so it is of the action's type. */
export function call<A extends V16Action, Answer>(
  action: A,
  payload: V16Requests[A],
  read: (answer: V16Responses[A]) => Answer,
): VersionCall<Answer> {
  return { action, payload, read: read as VersionCall<Answer>['read'] };
}

type WithStatus = { [A in V16Action]: V16Responses[A] extends Status ? A : never }[V16Action];

export function status<A extends WithStatus>(action: A, payload: V16Requests[A]): VersionCall<Status> {
  return call(action, payload, (answer) => ({ status: answer.status }));
}

/** An object with the field where it has a value, else an empty one. */
export function given<const Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}
