// The other end of requests about webhooks: what push would get from an API, with answers that a test gives.
import { channels, type PushAnswer, type PushRequest, type WebhookChange } from '@busbar/contracts';
import type { Platform } from '@busbar/runtime';

export interface PushPeer {
  readonly hints: readonly WebhookChange[];
  readonly requests: readonly PushRequest[];
}

/** Without an answer nobody responds, as where no process of push is there. */
export async function openPushPeer({ broker }: Pick<Platform, 'broker'>, answer?: PushAnswer): Promise<PushPeer> {
  const hints: WebhookChange[] = [];
  const requests: PushRequest[] = [];
  await broker.listen(channels.webhooks, (hint) => void hints.push(hint));
  if (answer !== undefined) {
    await broker.respond(channels.pushRequests, '', (request) => {
      requests.push(request);
      return Promise.resolve(answer);
    });
  }
  return { hints, requests };
}
