// The webhooks that this process owns, and a runner for each. The list of all webhooks is read every few seconds; hints of changes come
// sooner.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import type { Webhook, WebhookReader } from '@busbar/domain/webhooks';
import type { WebhookRunner } from './webhook-runner';

export interface OwnedWebhooksDeps {
  readonly webhooks: Pick<WebhookReader, 'find' | 'listAfter'>;
  readonly isOwner: (webhookId: string) => boolean;
  readonly createRunner: (webhook: Webhook) => WebhookRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface OwnedWebhooks extends Service {
  /** A webhook was created, changed or deleted. */
  hint(clientId: string, webhookId: string): void;
  /** Owners may be others now. */
  review(): void;
  runners(): Iterable<WebhookRunner>;
}

const LIST_MS = 5_000;
const REVIEW_MS = 1_000;
const TOGETHER = 500;

export function createOwnedWebhooks({
  webhooks,
  isOwner,
  createRunner,
  clock,
  logger,
}: OwnedWebhooksDeps): OwnedWebhooks {
  let known = new Map<string, Webhook>();
  const runners = new Map<string, WebhookRunner>();
  /** Webhooks that leave this process: another runner of the same one waits. */
  const leaving = new Map<string, Promise<void>>();
  let isRunning = false;

  async function list(signal: AbortSignal): Promise<void> {
    const found = new Map<string, Webhook>();
    let last: string | undefined;
    do {
      const some = await webhooks.listAfter(last, TOGETHER);
      for (const each of some) found.set(each.webhookId, each);
      last = some.length < TOGETHER ? undefined : some.at(-1)?.webhookId;
    } while (last !== undefined && !signal.aborted);
    if (signal.aborted) return;
    known = found;
    review();
  }

  function review(): void {
    if (!isRunning) return;
    for (const webhookId of [...runners.keys()])
      if (!known.has(webhookId) || !isOwner(webhookId)) void leave(webhookId);
    for (const [webhookId, webhook] of known) if (isOwner(webhookId)) run(webhook);
  }

  function run(webhook: Webhook): void {
    const { webhookId } = webhook;
    const runner = runners.get(webhookId);
    if (runner !== undefined) runner.update(webhook);
    else if (!leaving.has(webhookId)) runners.set(webhookId, createRunner(webhook));
  }

  function leave(webhookId: string): Promise<void> {
    const runner = runners.get(webhookId);
    runners.delete(webhookId);
    const left = runner?.stop().finally(() => leaving.delete(webhookId)) ?? Promise.resolve();
    if (runner !== undefined) leaving.set(webhookId, left);
    return left;
  }

  async function refresh(clientId: string, webhookId: string): Promise<void> {
    const found = await webhooks.find(clientId, webhookId);
    if (found === undefined) known.delete(webhookId);
    // A list that was read before the change may have replaced it already.
    else if (found.revision >= (known.get(webhookId)?.revision ?? 0)) known.set(webhookId, found);
    review();
  }

  const jobs = [
    createPeriodicJob({
      name: 'list of webhooks',
      everyMs: LIST_MS,
      atStart: true,
      run: list,
      failed: 'reading the webhooks failed; it is tried again',
      clock,
      logger,
    }),
    createPeriodicJob({
      name: 'owners of webhooks',
      everyMs: REVIEW_MS,
      run: async () => Promise.resolve(review()),
      failed: 'sharing the webhooks out failed; it is tried again',
      clock,
      logger,
    }),
  ];

  return {
    name: 'owned webhooks',
    hint(clientId, webhookId) {
      if (isRunning) refresh(clientId, webhookId).catch(() => undefined);
    },
    review,
    runners: () => runners.values(),
    async start() {
      isRunning = true;
      for (const job of jobs) await job.start();
    },
    async stop() {
      isRunning = false;
      for (const job of jobs) await job.stop();
      await Promise.all([...[...runners.keys()].map(leave), ...leaving.values()]);
    },
    ready: () => isRunning,
  };
}
