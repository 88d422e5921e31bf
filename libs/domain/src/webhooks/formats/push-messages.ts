// The push messages of an event: the documented messages of v1 and v2 over the same deliveries. Pure.
import type { EventName, FeedEvent } from '@busbar/contracts';
import type { OutgoingMessage } from '../outgoing-message';
import { PUSH_KINDS, type PushKind, type Webhook } from '../webhook';
import { pushFactsOf } from './push-facts';
import { pushV1Body } from './push-v1';
import { pushV2Body } from './push-v2';
import { isPushedTo, type PushedCharger } from './pushed-charger';

export type PushFormat = 'push-v1' | 'push-v2';

const SOURCES: Readonly<Record<PushKind, readonly EventName[]>> = {
  ChargerState: ['socket.state_changed', 'socket.state_reported', 'charger.connected', 'charger.disconnected'],
  ChargerBoot: ['charger.booted'],
  ChargingTransaction: ['session.started', 'session.ended'],
  FullChargingTransaction: ['session.ended'],
  Measurements: ['meter.values'],
};

/** The types of events that can make messages of these kinds. */
export function pushEventTypes(kinds: readonly string[]): ReadonlySet<EventName> {
  return new Set(PUSH_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => SOURCES[kind]));
}

/** Returns no message of a charger that is not pushed to this webhook, nor of an event that has none of the wanted kinds. */
export function pushMessages(
  format: PushFormat,
  event: FeedEvent,
  charger: PushedCharger,
  webhook: Pick<Webhook, 'description' | 'types'>,
): readonly OutgoingMessage[] {
  if (!isPushedTo(charger, webhook)) return [];
  const bodies = pushFactsOf(event)
    .filter(({ kind }) => webhook.types.includes(kind))
    .map((fact) => (format === 'push-v1' ? pushV1Body(fact, event) : pushV2Body(fact, event, charger)))
    .filter((body) => body !== undefined);
  return bodies.map((body, index) => ({ id: messageId(event.id, index), body: JSON.stringify(body), headers: {} }));
}

function messageId(eventId: string, index: number): string {
  return index === 0 ? eventId : `${eventId}-${String(index + 1)}`;
}
