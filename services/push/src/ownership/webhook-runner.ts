// Runs the deliveries of one webhook that this process owns: opens a session from the stored standing, and again after the owner's changes
// or a lost compare-and-set.
import { backoff, messageOf, type Timer } from '@busbar/core';
import type { FeedEvent } from '@busbar/domain/feed';
import type { Webhook, WebhookHealth, WebhookStandings } from '@busbar/domain/webhooks';
import { createDeliverySession, type DeliverySession, type SessionDeps } from '../delivery/delivery-session';
import { openStanding } from '../delivery/open-standing';
import type { FeedHeads } from '../feed/feed-heads';

export interface RunnerDeps extends Omit<SessionDeps, 'heads' | 'standings'> {
  readonly heads: FeedHeads;
  readonly standings: WebhookStandings;
  readonly wantedEvents: (webhook: Webhook) => Promise<(event: FeedEvent) => boolean>;
}

export interface WebhookRunner {
  /** Its owner has changed it. */
  update(webhook: Webhook): void;
  /** Lets what is in flight end, and stores the standing. */
  stop(): Promise<void>;
  /** Undefined until a session is open. */
  status(): WebhookHealth['status'] | undefined;
  waiting(): number;
}

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5_000;
/** Sites below the named ones are read again. */
const REFRESH_MS = 30_000;

export function createWebhookRunner(deps: RunnerDeps, first: Webhook): WebhookRunner {
  const { clock, heads, outages } = deps;
  const waits = backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
  let webhook = first;
  let wants: (event: FeedEvent) => boolean = () => false;
  let session: DeliverySession | undefined;
  let isStopped = false;
  let retry: Timer | undefined;
  /** Opening and closing, one after the other. */
  let turn: Promise<void> = Promise.resolve();
  const refresh = clock.every(REFRESH_MS, () => {
    if (webhook.includeSubsites) void readWanted().catch(() => undefined);
  });

  async function readWanted(): Promise<void> {
    wants = await deps.wantedEvents(webhook);
  }

  async function open(): Promise<void> {
    if (isStopped || session !== undefined || !webhook.enabled) return;
    // Watched from here on, so that the pages that the session begins behind stay known.
    const unwatch = heads.watch(webhook.clientId, () => undefined);
    try {
      const identity = heads.identity() ?? (await heads.refresh());
      if (identity === undefined) return tryAgain();
      await heads.look(webhook.clientId);
      const [stored] = await deps.standings.find([webhook.webhookId]);
      await readWanted();
      const newest = heads.of(webhook.clientId);
      const standing = openStanding(webhook, { stored, identity, newest, now: clock.now() });
      session = createDeliverySession(deps, {
        webhook: () => webhook,
        standing,
        isNew: standing !== stored,
        wants: (event) => wants(event),
        onLost,
      });
      session.start();
      waits.reset();
      outages.clear(`open ${webhook.webhookId}`);
    } catch (error) {
      deps.onStored(error);
      outages.report(`open ${webhook.webhookId}`, messageOf(error), { webhookId: webhook.webhookId });
      tryAgain();
    } finally {
      unwatch();
    }
  }

  async function close(): Promise<void> {
    const open = session;
    session = undefined;
    await open?.stop();
  }

  function tryAgain(): void {
    retry?.cancel();
    if (!isStopped) retry = clock.after(waits.next(), () => inTurn(open));
  }

  function onLost(): void {
    session = undefined;
    tryAgain();
  }

  function inTurn(work: () => Promise<void>): void {
    turn = turn.then(work);
  }

  inTurn(open);

  return {
    update(changed) {
      if (changed.revision === webhook.revision) return;
      const isSame = isSameSession(webhook, changed);
      webhook = changed;
      if (isSame) return;
      inTurn(close);
      inTurn(open);
    },
    async stop() {
      isStopped = true;
      retry?.cancel();
      refresh.cancel();
      inTurn(close);
      await turn;
    },
    status: () => (webhook.enabled ? session?.status() : 'disabled'),
    waiting: () => session?.waiting() ?? 0,
  };
}

/** Whether the session that runs follows the change by itself: what a request has in it. */
function isSameSession(one: Webhook, other: Webhook): boolean {
  const rest = ({ begin, activation, enabled, ordering, maxInFlight, format, ...filter }: Webhook): string => {
    const { types, chargerIds, siteIds, includeSubsites } = filter;
    return JSON.stringify([
      begin.id,
      activation,
      enabled,
      ordering,
      maxInFlight,
      format,
      types,
      chargerIds,
      siteIds,
      includeSubsites,
    ]);
  };
  return rest(one) === rest(other);
}
