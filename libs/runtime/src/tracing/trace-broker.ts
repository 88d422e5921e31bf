import type { Broker, RequestOutcome } from '@busbar/broker';
import type { DirectChannel } from '@busbar/contracts';
import type { SpanKind, Tracing } from './tracing';
import { traced } from './tracing';

/** The broker, with spans for requests and letters that belong to a trace. The headers travel by `MessageContext`. */
export function traceBroker(broker: Broker, tracing: Tracing): Broker {
  return {
    ...broker,
    request: (channel, key, body, deadlineMs) =>
      traced(
        tracing,
        spanOf('send', channel, 'client'),
        () => broker.request(channel, key, body, deadlineMs),
        ({ outcome }: RequestOutcome<unknown>) => (outcome === 'answered' ? undefined : outcome),
      ),
    respond: (channel, key, handler) =>
      broker.respond(channel, key, (body) =>
        traced(tracing, spanOf('process', channel, 'consumer'), () => handler(body)),
      ),
  };
}

function spanOf(operation: 'send' | 'process', { name }: DirectChannel<unknown, unknown>, kind: SpanKind) {
  const attributes = {
    'messaging.operation.name': operation,
    'messaging.destination.name': name,
  };
  return { name: `${operation} ${name}`, kind, attributes };
}
