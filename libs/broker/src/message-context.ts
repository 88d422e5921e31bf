/** Short texts beside the body of a message, such as the `traceparent` of the W3C. */
export type MessageHeaders = Readonly<Record<string, string>>;

/** Carries what belongs to the sender's work along with its messages. Absent: messages have no headers. */
export interface MessageContext {
  /** The headers for a message that is sent now; undefined for none. */
  headers(): MessageHeaders | undefined;
  /** Runs the handler of a message that came with these headers, or with none. */
  within<T>(headers: MessageHeaders | undefined, work: () => T): T;
}

/** Runs the work as it is where there is no context. */
export function inContext<T>(
  context: MessageContext | undefined,
  headers: MessageHeaders | undefined,
  work: () => T,
): T {
  return context === undefined ? work() : context.within(headers, work);
}
