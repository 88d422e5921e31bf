// The path of one delivery: finds its event, sends it, and applies what the attempt means.
import type { Clock } from '@busbar/core';
import type { DeadDeliveries, Webhook } from '@busbar/domain/webhooks';
import type { SourceEvent } from '../feed/page-source';
import { createAttemptRecorder, type AttemptRecorderDeps } from './attempt-recorder';
import type { Deliveries, Delivery, NamedDelivery } from './deliveries';
import type { PageLoader } from './page-loader';
import type { SendEvent, Sent } from './send-event';
import type { StandingFacts } from './standing-facts';
import type { StandingSaver } from './standing-saver';

export interface DeliverDeps extends AttemptRecorderDeps {
  readonly webhook: () => Webhook;
  readonly deliveries: Deliveries;
  readonly loader: Pick<PageLoader, 'find'>;
  readonly saver: Pick<StandingSaver, 'delivered' | 'touch'>;
  readonly facts: Pick<StandingFacts, 'attempted'>;
  readonly send: SendEvent;
  readonly deadDeliveries: Pick<DeadDeliveries, 'insert'>;
  readonly clock: Clock;
  readonly onDead: () => void;
  /** Something that the attempt needs failed: the store, the key, or a format. */
  readonly onFailure: (error: unknown) => void;
  /** The status of the webhook is another. */
  readonly onStatus: () => Promise<void>;
}

/** Never rejects. The delivery has ended when it resolves. */
export type Deliver = (delivery: Delivery) => Promise<void>;

export function createDeliver(deps: DeliverDeps): Deliver {
  const { deliveries, loader, saver, clock } = deps;
  const { webhookId, clientId } = deps.webhook();
  const record = createAttemptRecorder({ webhookId, clientId }, deps);
  const nowMs = (): number => clock.now().getTime();

  async function apply(delivery: NamedDelivery, source: SourceEvent, sent: Sent): Promise<void> {
    const { status } = deliveries.health();
    const effect = deliveries.ended(delivery, sent);
    const { nextProbeMs, status: statusNow } = deliveries.health();
    record({ event: source.event, sent, effect, nextProbeMs });
    deps.facts.attempted(new Date(sent.startedMs).toISOString());
    if (effect.kind === 'done') saver.delivered();
    else saver.touch();
    if (effect.kind === 'dead') await park(delivery, source, { attempts: effect.attempts, error: sent.error });
    if (statusNow !== status) await deps.onStatus();
  }

  /** Nothing is parked without it: the event is sent again where it cannot be stored. */
  async function park(
    delivery: Delivery,
    { event, json }: SourceEvent,
    { attempts, error: lastError }: { readonly attempts: number; readonly error: string | null },
  ): Promise<void> {
    const { id: eventId, type: eventType, chargerId } = event;
    const parkedAt = clock.now().toISOString();
    const dead = { webhookId, clientId, eventId, eventType, chargerId, attempts, parkedAt, event: json() };
    try {
      await deps.deadDeliveries.insert({ ...dead, lastError: lastError ?? '' });
    } catch (error) {
      deliveries.untried(delivery, nowMs());
      return deps.onFailure(error);
    }
    deliveries.complete(delivery, nowMs());
    saver.delivered();
    deps.onDead();
  }

  return async (delivery) => {
    let current = delivery;
    let source: SourceEvent;
    let sent: Sent | 'nothing';
    try {
      const found = await loader.find(delivery, nowMs);
      if (found === undefined) return;
      current = found.delivery;
      source = found.event;
      sent = await deps.send(deps.webhook(), source, current.messages);
    } catch (error) {
      deliveries.untried(current, nowMs());
      return deps.onFailure(error);
    }
    if (sent === 'nothing') deliveries.complete(current, nowMs());
    else await apply(current as NamedDelivery, source, sent);
  };
}
