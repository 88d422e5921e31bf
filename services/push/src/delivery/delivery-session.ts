// Delivers to one webhook, from a standing on, until it is stopped or another process has written the standing. Time and turns: when to
// load, send, retry and save. What is sent next is decided by `deliveries.ts`.
import { messageOf, type Logger, type OutageReporter, type Timer } from '@busbar/core';
import type { FeedEvent, FeedReader } from '@busbar/domain/feed';
import type { Webhook, WebhookStanding, WebhookStandings } from '@busbar/domain/webhooks';
import type { FeedHeads } from '../feed/feed-heads';
import type { PageSource } from '../feed/page-source';
import { createDeliver, type DeliverDeps } from './deliver';
import { createDeliveries } from './deliveries';
import type { FairSlots } from './fair-slots';
import { createOutboxPublisher } from './outbox-publisher';
import { createPageLoader } from './page-loader';
import { createStandingFacts } from './standing-facts';
import { createStandingSaver } from './standing-saver';

export interface SessionDeps extends Pick<
  DeliverDeps,
  'clock' | 'deadDeliveries' | 'log' | 'onAttempt' | 'onDead' | 'send'
> {
  readonly feed: Pick<FeedReader, 'firstPage'>;
  readonly source: PageSource;
  readonly heads: Pick<FeedHeads, 'of' | 'watch'>;
  readonly standings: Pick<WebhookStandings, 'save'>;
  readonly slots: FairSlots;
  /** Puts the event of a webhook that was disabled into the feed. */
  readonly announce: (webhook: Webhook, event: FeedEvent) => Promise<void>;
  readonly logger: Logger;
  readonly outages: OutageReporter;
  readonly timeScale: number;
  readonly random: () => number;
  /** The result of each access to the store. */
  readonly onStored: (error?: unknown) => void;
}

export interface SessionStart {
  /** As its owner has it now. */
  readonly webhook: () => Webhook;
  readonly standing: WebhookStanding;
  /** Whether it is not stored like this. */
  readonly isNew: boolean;
  readonly wants: (event: FeedEvent) => boolean;
  readonly onLost: () => void;
}

export type DeliverySession = ReturnType<typeof createDeliverySession>;

const TICK_MS = 1_000;
const DRAIN_MS = 10_000;

export function createDeliverySession(deps: SessionDeps, start: SessionStart) {
  const { clock, slots, heads } = deps;
  const webhook = start.webhook();
  const { webhookId, clientId } = webhook;
  const parts = createParts(deps, start, { onLost, onStatus, onFailure, onSaved: pump });
  const { deliveries, facts, loader, saver, deliver, publish, load } = parts;
  const nowMs = (): number => clock.now().getTime();
  const requestSlot = (): void => slots.request(webhookId, useSlot);
  let isOpen = false;
  let isPaused = false;
  let loadedAtTick = -1;
  let timer: Timer | undefined;
  let wake: Timer | undefined;
  let unwatch: () => void = () => undefined;
  let onIdle: () => void = () => undefined;

  function pump(): void {
    if (!isOpen || isPaused) return;
    requestSlot();
    void load(() => isOpen && !isPaused, requestSlot);
  }

  /** Sends one event, if one can be sent. */
  function useSlot(): boolean {
    if (!isOpen || isPaused || saver.isFull(deliveries.inFlight())) return false;
    const delivery = deliveries.next(nowMs());
    if (delivery === undefined) return false;
    void deliver(delivery).finally(() => {
      slots.release();
      if (deliveries.inFlight() === 0) onIdle();
      pump();
      arm();
    });
    requestSlot();
    return true;
  }

  /** A failure or its end is stored at once. */
  async function onStatus(): Promise<void> {
    const { status, statusReason } = deliveries.health();
    deps.logger.info({ webhookId, clientId, status, statusReason }, 'the status of a webhook changed');
    if (status === 'disabled') facts.disable(statusReason ?? '', clock.now());
    saver.touch();
    await saver.saveNow();
    await publish();
  }

  function onFailure(error: unknown): void {
    deps.onStored(error);
    deps.outages.report(webhookId, messageOf(error), { webhookId });
    isPaused = true;
  }

  /** Wakes for the next retry or probe, where that is before the next tick. */
  function arm(): void {
    wake?.cancel();
    const at = isOpen ? deliveries.wakeMs() : undefined;
    const wait = at === undefined ? -1 : at - nowMs();
    wake = wait <= 0 || wait > TICK_MS ? undefined : clock.after(wait, pump);
  }

  function tick(): void {
    if (!isPaused) deps.outages.clear(webhookId);
    isPaused = false;
    saver.tick();
    void publish();
    const loaded = loader.loaded();
    if (loaded === loadedAtTick) deliveries.makeRoom(nowMs());
    loadedAtTick = loaded;
    pump();
    arm();
  }

  function end(): void {
    isOpen = false;
    unwatch();
    wake?.cancel();
    timer?.cancel();
  }

  function onLost(): void {
    end();
    deps.logger.info({ webhookId, clientId }, 'another process delivers to a webhook; its standing is read again');
    start.onLost();
  }

  return {
    start(): void {
      isOpen = true;
      unwatch = heads.watch(clientId, pump);
      timer = clock.every(TICK_MS, tick);
      if (start.isNew) void saver.saveNow();
      void publish();
      pump();
      arm();
    },
    /** Lets what is in flight end, up to 10 s, and stores the standing. */
    async stop(): Promise<void> {
      end();
      await new Promise<void>((resolve) => {
        if (deliveries.inFlight() === 0) return resolve();
        const limit = clock.after(DRAIN_MS, resolve);
        onIdle = () => {
          limit.cancel();
          resolve();
        };
      });
      await saver.flush();
    },
    status: () => deliveries.health().status,
    waiting: loader.waiting,
  };
}

interface Reactions extends Pick<DeliverDeps, 'onFailure' | 'onStatus'> {
  readonly onLost: () => void;
  readonly onSaved: () => void;
}

function createParts(deps: SessionDeps, start: SessionStart, reactions: Reactions) {
  const { onLost, onSaved, onStatus, onFailure } = reactions;
  const { standing } = start;
  const webhook = start.webhook();
  const { clientId, ordering, maxInFlight } = webhook;
  const { random, timeScale } = deps;
  const deliveries = createDeliveries(standing, { ordering, maxInFlight, random, timeScale });
  const facts = createStandingFacts(standing, webhook);
  const saver = createStandingSaver({
    standings: deps.standings,
    standing,
    current: () => ({ ...facts.current(), progress: deliveries.progress(), health: deliveries.health() }),
    onEnd(error) {
      deps.onStored(error);
      if (error === undefined) onSaved();
    },
    onLost,
  });
  const loader = createPageLoader({
    ...deps,
    clientId,
    deliveries,
    wants: ({ event }, place) => start.wants(event) && !facts.isSkipped(event, place),
    onGap(to, from) {
      facts.addGap(to, from);
      saver.touch();
    },
  });
  const deliver = createDeliver({
    ...deps,
    webhook: start.webhook,
    deliveries,
    loader,
    saver,
    facts,
    onStatus,
    onFailure,
  });
  const publish = createOutboxPublisher({ webhook: start.webhook, facts, saver, announce: deps.announce, onFailure });
  let isLoading = false;

  /** Loads pages while there is room. Calls `onPage` after each. */
  async function load(isWanted: () => boolean, onPage: () => void): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      while (isWanted() && deliveries.hasRoom() && (await loader.load())) {
        saver.touch();
        onPage();
      }
      facts.passed(deliveries.progress());
    } catch (error) {
      onFailure(error);
    } finally {
      isLoading = false;
    }
  }

  return { deliveries, facts, saver, loader, deliver, publish, load };
}
