// Requests about a webhook that a process of services/push executes now, past the line.
import type { PushAnswer } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { PushLink } from './push-link';
import { findWebhook, unknownWebhook, type FindWebhookDeps, type OwnedWebhook } from './read-webhooks';
import { refuseDisabled } from './webhook-status';

export interface AskPushDeps extends FindWebhookDeps {
  readonly pushLink: Pick<PushLink, 'ask'>;
}

type Answer<R extends PushAnswer['result']> = Extract<PushAnswer, { readonly result: R }>;

const RETRY_AFTER_S = 5;

/** Sends one `webhook.test`. Throws `not_found`, `webhook_disabled`, `rate_limited` and `unavailable`. */
export async function testWebhook(deps: AskPushDeps, owned: OwnedWebhook): Promise<Omit<Answer<'tested'>, 'result'>> {
  const answer = await ask(deps, owned, () => deps.pushLink.ask({ request: 'test', ...owned }));
  if (answer.result !== 'tested') throw unavailable();
  const { outcome, httpStatus, tookMs, responseBody, error } = answer;
  return { outcome, httpStatus, tookMs, responseBody, error };
}

/** Sends events again; returns how many of them are there. Throws as `testWebhook`. */
export async function redeliverEvents(
  deps: AskPushDeps,
  owned: OwnedWebhook,
  eventIds: readonly string[],
): Promise<number> {
  const ids = [...new Set(eventIds)];
  const answer = await ask(deps, owned, () => deps.pushLink.ask({ request: 'redeliver', ...owned, eventIds: ids }));
  if (answer.result !== 'accepted') throw unavailable();
  return answer.accepted;
}

async function ask(
  deps: AskPushDeps,
  { clientId, webhookId }: OwnedWebhook,
  send: () => ReturnType<PushLink['ask']>,
): Promise<Answer<'tested' | 'accepted'>> {
  const { webhook, standing } = await findWebhook(deps, { clientId, webhookId });
  refuseDisabled(webhook, standing);
  const answer = await send();
  switch (answer.result) {
    case 'tested':
    case 'accepted':
      return answer;
    case 'gone':
      throw unknownWebhook(webhookId);
    case 'disabled':
      throw new AppError('webhook_disabled', `The webhook ${webhookId} is disabled. Enable it first.`);
    case 'busy':
      throw new AppError('rate_limited', 'Too many webhooks are tested. Retry after the seconds in Retry-After.', {
        details: { retryAfterS: RETRY_AFTER_S },
      });
    case 'no_key':
      throw new AppError('unavailable', 'The secrets of this webhook cannot be decrypted: give it a new secret.');
    case 'unavailable':
      throw unavailable();
  }
}

function unavailable(): AppError {
  return new AppError('unavailable', 'No process that sends to webhooks answers. Retry later.', {
    details: { retryAfterS: RETRY_AFTER_S },
  });
}
