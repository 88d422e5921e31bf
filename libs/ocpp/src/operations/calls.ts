// CALLs of one version of OCPP with the types of its actions, for the encoders of operations.
import type { Status, VersionCall } from './operation';

/** A CALL with its payload, and how its answer is read. */
type Call<Requests, Responses> = <A extends keyof Requests & keyof Responses & string, Answer>(
  action: A,
  payload: Requests[A],
  read: (answer: Responses[A]) => Answer,
) => VersionCall<Answer>;

type WithStatus<Responses> = { [A in keyof Responses]: Responses[A] extends Status ? A : never }[keyof Responses];

/** A CALL of whose answer the status is read. */
type StatusCall<Requests, Responses> = <A extends WithStatus<Responses> & keyof Requests & string>(
  action: A,
  payload: Requests[A],
) => VersionCall<Status>;

/** The gateway has validated an answer against its schema, so it is of the action's type. */
export function callsOf<Requests, Responses>(): {
  readonly call: Call<Requests, Responses>;
  readonly status: StatusCall<Requests, Responses>;
} {
  return {
    call: (action, payload, read) => ({ action, payload, read }) as unknown as VersionCall<never>,
    status: (action, payload) =>
      ({ action, payload, read: ({ status }: Status) => ({ status }) }) as unknown as VersionCall<Status>,
  };
}

/** An object with the field where it has a value, else an empty one. */
export function given<const Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}
